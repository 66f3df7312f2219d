// The part of the graph that is shown: numbers worked by hand.

import assert from "node:assert/strict";
import { test } from "node:test";

import { GraphModel, aged, edgeId, later, routeParts } from "../../src/graphpalace/serve/web/js/graph_model.js";

const RATES = { success: 0.01, traversal: 0.03, recency: 0.1 };
const node = (id, edges = 1) => ({ id, kind: "Room", name: id, edges });
const edge = (source, target, more = {}) => ({ type: "HALL", source, target, base_cost: 0.5, success: 0, traversal: 0, recency: 0, ...more });

test("what is added twice is there once, and an edge needs both of its ends", () => {
  const model = new GraphModel();
  assert.deepEqual(model.add({ nodes: [node("a"), node("b")], edges: [edge("a", "b"), edge("b", "c")] }), ["a", "b"]);
  assert.deepEqual(model.add({ nodes: [node("b"), node("c")], edges: [edge("b", "c")] }), ["c"]);
  assert.deepEqual([...model.edges.keys()], [edgeId(edge("a", "b")), edgeId(edge("b", "c"))]);
});

test("a node that a route added keeps what was known of it", () => {
  const model = new GraphModel();
  model.add({ nodes: [node("a", 7)], edges: [] });
  model.add({ nodes: [{ id: "a", kind: "Room", name: "a" }], edges: [] });
  assert.equal(model.nodes.get("a").edges, 7);
});

test("a node that goes takes its edges with it", () => {
  const model = new GraphModel();
  model.add({ nodes: [node("a", 2), node("b", 1), node("c", 3)], edges: [edge("a", "b"), edge("a", "c")] });
  assert.equal(model.hidden("a"), 0);
  assert.equal(model.hidden("c"), 2);
  model.remove("b");
  assert.equal(model.edges.size, 1);
  assert.equal(model.hidden("a"), 1);
  assert.equal(model.hidden("unknown"), null);
  model.markMore();
  assert.deepEqual([...model.nodes.values()].map(({ id, more }) => [id, more]), [["a", true], ["c", true]]);
});

test("a pheromone fades by its rate, and below a thousandth it is gone", () => {
  assert.equal(later(1, 0.1, 0), 1);
  assert.ok(Math.abs(later(1, 0.1, 2) - 0.81) < 1e-12);
  assert.equal(later(1, 0.1, 66), 0); // .9 ** 66 = .00096
  assert.ok(later(1, 0.1, 65) > 0); // .00106
});

test("an edge becomes thinner and dearer, as the decay will make it", () => {
  const now = aged(edge("a", "b", { success: 2, traversal: 0.5, recency: 1 }), RATES, 0);
  assert.ok(Math.abs(now.strength - (0.5 + 0.3 + 0.2 * 0.5)) < 1e-12); // success counts as 1 at most
  assert.ok(Math.abs(now.current_cost - 0.5 * (1 - 0.5 * 0.9)) < 1e-12);
  const then = aged(edge("a", "b", { success: 0.4, traversal: 0.5, recency: 1 }), RATES, 10);
  const strength = 0.5 * 0.4 * 0.99 ** 10 + 0.3 * 0.9 ** 10 + 0.2 * 0.5 * 0.97 ** 10;
  assert.ok(Math.abs(then.strength - strength) < 1e-12);
  assert.equal(aged(edge("a", "b", { base_cost: 40 }), RATES, 0).current_cost, 10);
});

test("a route becomes edges in the direction in which they are stored", () => {
  const [a, b, c] = ["a", "b", "c"].map((id) => ({ id, kind: "Room", name: id }));
  const leg = (to, forward) => ({ type: "HALL", forward, to, cost: 1, semantic: 0, pheromone: 0, structural: 1, base_cost: 0.5, current_cost: 0.5, success: 0, traversal: 0, recency: 0 });
  const { nodes, edges } = routeParts({ start: a, legs: [leg(b, true), leg(c, false)] });
  assert.deepEqual(nodes.map(({ id }) => id), ["a", "b", "c"]);
  assert.deepEqual(edges.map(({ source, target }) => [source, target]), [["a", "b"], ["c", "b"]]);
  assert.equal("cost" in edges[0], false);
});
