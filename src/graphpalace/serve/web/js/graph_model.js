// The part of the graph that is shown: nodes and edges by id, and what they are worth some cycles later.

// Seed 003, "Edge Cost Recomputation" and "Decay Formula".
const SHARES = { success: 0.5, recency: 0.3, traversal: 0.2 };
const LARGEST_DISCOUNT = 0.5;
const FLOOR = 0.001;

export const KINDS = ["Palace", "Wing", "Room", "Closet", "Drawer", "Entity"];

export const edgeId = ({ type, source, target }) => `${type} ${source} ${target}`;

export class GraphModel {
  nodes = new Map();
  edges = new Map();

  // Adds what an answer has; returns the ids of the nodes that are new.
  add({ nodes, edges }) {
    const fresh = nodes.filter(({ id }) => !this.nodes.has(id)).map(({ id }) => id);
    for (const node of nodes) this.nodes.set(node.id, { ...this.nodes.get(node.id), ...node });
    for (const edge of edges) {
      if (this.nodes.has(edge.source) && this.nodes.has(edge.target)) this.edges.set(edgeId(edge), { ...this.edges.get(edgeId(edge)), ...edge });
    }
    return fresh;
  }

  // Takes a node away, and its edges, and those that only it joined to the rest.
  remove(id) {
    this.nodes.delete(id);
    for (const [key, edge] of this.edges) if (edge.source === id || edge.target === id) this.edges.delete(key);
  }

  // Says of each node whether it has neighbours that are not shown.
  markMore() {
    const shown = new Map();
    for (const { source, target } of this.edges.values()) for (const id of [source, target]) shown.set(id, (shown.get(id) ?? 0) + 1);
    for (const node of this.nodes.values()) node.more = (node.edges ?? 0) > (shown.get(node.id) ?? 0);
  }

  clear() {
    this.nodes.clear();
    this.edges.clear();
  }

  edgesOf(id) {
    return [...this.edges.values()].filter(({ source, target }) => source === id || target === id);
  }

  // How many edges of a node lead to nodes that are not shown; null if it is not known.
  hidden(id) {
    const all = this.nodes.get(id)?.edges;
    return all === undefined ? null : Math.max(0, all - this.edgesOf(id).length);
  }
}

// What is left of a pheromone after some cycles; `rate` is the share that one cycle takes.
export function later(value, rate, cycles) {
  const left = value * (1 - rate) ** cycles;
  return left < FLOOR ? 0 : left;
}

// An edge after some cycles: its pheromones, their combined strength from 0 to 1, and its cost.
export function aged(edge, rates, cycles) {
  const trail = Object.fromEntries(Object.keys(SHARES).map((name) => [name, later(edge[name], rates[name] ?? 0, cycles)]));
  const strength = Object.entries(SHARES).reduce((sum, [name, share]) => sum + share * Math.min(trail[name], 1), 0);
  return { ...edge, ...trail, strength, current_cost: Math.min(10, Math.max(0, edge.base_cost * (1 - LARGEST_DISCOUNT * strength))) };
}

// A route of `navigate` as nodes and edges.
export function routeParts({ start, legs }) {
  const stops = [start, ...legs.map(({ to }) => to)];
  const edges = legs.map(({ forward, to: _to, cost: _cost, semantic: _semantic, pheromone: _pheromone, structural: _structural, ...edge }, at) => ({
    ...edge,
    source: stops[forward ? at : at + 1].id,
    target: stops[forward ? at + 1 : at].id,
  }));
  return { nodes: stops, edges };
}
