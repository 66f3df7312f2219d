// Draws a part of the graph with cytoscape.js: colour and shape by kind, edges as thick as their trail.

import { colour, onTheme } from "./charts.js";
import { el } from "./dom.js";
import { edgeId } from "./graph_model.js";
import { decimal } from "./numbers.js";
import { loaded } from "./script_loader.js";

const SCRIPTS = ["layout-base.js", "cose-base.js", "cytoscape.min.js", "cytoscape-fcose.js"];
const LABEL = 26; // characters
const THINNEST = 1;
const THICKNESS = 8; // pixels that a full trail adds
const LONG_MS = 400;
const LARGEST = 1.5; // what is drawn is not magnified more to fill the picture

// The kinds differ by shape as well as by colour.
export const LOOKS = {
  Palace: { shape: "hexagon", size: 44 },
  Wing: { shape: "pentagon", size: 38 },
  Room: { shape: "rectangle", size: 30 },
  Closet: { shape: "cut-rectangle", size: 20 },
  Drawer: { shape: "round-rectangle", size: 18 },
  Entity: { shape: "ellipse", size: 22 },
};

// It tells `chosen` (detail: {node} or {edge}) and `grown` (detail: id) when somebody clicks.
export class GraphDrawing extends EventTarget {
  element = el("div", { class: "graph-canvas", "aria-hidden": "true" });
  /** @type {any} The instance of cytoscape.js, once it is loaded. */
  #cy = null;
  #costs = false;

  // The element has to be in the page: cytoscape.js measures it.
  async open() {
    if (this.#cy) return;
    await loaded("The library that draws graphs", SCRIPTS.map((name) => `/web/vendor/${name}`));
    if (this.#cy) return;
    this.#cy = globalThis.cytoscape({ container: this.element, minZoom: 0.1, maxZoom: 3, style: this.#style() });
    this.#cy.on("tap", (event) => {
      const detail = event.target === this.#cy ? {} : event.target.isNode() ? { node: event.target.id() } : { edge: event.target.id() };
      this.dispatchEvent(new CustomEvent("chosen", { detail }));
    });
    this.#cy.on("dbltap", "node", (event) => this.dispatchEvent(new CustomEvent("grown", { detail: event.target.id() })));
    onTheme(() => this.#cy.style(this.#style()));
  }

  clear() {
    this.#cy?.elements().remove();
  }

  // Shows the model; new nodes appear beside `around` and find their place.
  sync(model, { around = null } = {}) {
    const cy = this.#cy;
    const anew = cy.nodes().empty();
    cy.batch(() => {
      cy.elements().filter((one) => !(one.isNode() ? model.nodes : model.edges).has(one.id())).remove();
      const from = cy.getElementById(around ?? "");
      const at = from.nonempty() ? from.position() : { x: 0, y: 0 };
      const fresh = [...model.nodes.values()].filter(({ id }) => cy.getElementById(id).empty());
      fresh.forEach((node, place) => cy.add({ group: "nodes", data: nodeData(node), position: beside(at, place, fresh.length) }));
      for (const [id, edge] of model.edges) {
        if (cy.getElementById(id).empty()) cy.add({ group: "edges", data: { id, source: edge.source, target: edge.target, type: edge.type, width: THINNEST, warm: 0, label: "" } });
      }
      for (const node of cy.nodes()) node.data(nodeData(model.nodes.get(node.id())));
    });
    this.arrange(anew);
  }

  arrange(anew = false) {
    const cy = this.#cy;
    if (cy.nodes().empty()) return;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const shown = cy.elements(":visible");
    const layout = shown.layout({
      name: "fcose",
      quality: shown.nodes().length > 300 ? "draft" : "default",
      randomize: anew,
      animate: !still && shown.nodes().length < 400,
      animationDuration: LONG_MS,
      fit: true,
      padding: 30,
      nodeRepulsion: 9000,
      idealEdgeLength: (edge) => (edge.data("type") === "SIMILAR_TO" ? 110 : 80),
    });
    layout.one("layoutstop", () => this.#notTooLarge());
    layout.run();
  }

  // `edges`: what each edge is worth at the chosen time.
  age(edges) {
    const cy = this.#cy;
    cy.batch(() => {
      for (const edge of edges) cy.getElementById(edgeId(edge)).data({ width: THINNEST + THICKNESS * edge.strength, warm: edge.strength > 0 ? 1 : 0, label: edge.predicates?.join(", ") || (this.#costs ? decimal(edge.current_cost) : "") });
    });
  }

  showCosts(shown) {
    this.#costs = shown;
  }

  choose(id) {
    this.#cy.elements(".chosen").removeClass("chosen");
    if (id) this.#cy.getElementById(id).addClass("chosen");
  }

  // Marks the nodes and edges of a route.
  trace({ nodes, edges }) {
    this.#cy.elements(".route").removeClass("route");
    for (const id of [...nodes.map((node) => node.id), ...edges.map(edgeId)]) this.#cy.getElementById(id).addClass("route");
  }

  hideKinds(kinds) {
    const hidden = this.#cy.nodes().filter((node) => kinds.has(node.data("kind")));
    this.#cy.elements(".gone").removeClass("gone");
    hidden.addClass("gone");
  }

  zoom(factor) {
    const { width, height } = this.element.getBoundingClientRect();
    this.#cy.zoom({ level: this.#cy.zoom() * factor, renderedPosition: { x: width / 2, y: height / 2 } });
  }

  fit() {
    this.#cy.fit(this.#cy.elements(":visible"), 30);
    this.#notTooLarge();
  }

  // A few nodes would fill the whole picture.
  #notTooLarge() {
    if (this.#cy.zoom() <= LARGEST) return;
    this.#cy.zoom(LARGEST);
    this.#cy.center(this.#cy.elements(":visible"));
  }

  resize() {
    this.#cy?.resize();
  }

  #style() {
    return [
      { selector: "node", style: { label: "data(label)", color: colour("ink"), "font-size": 11, "text-valign": "bottom", "text-margin-y": 3, "text-background-color": colour("card"), "text-background-opacity": 0.8, "text-background-padding": 1, "min-zoomed-font-size": 7, "border-width": 0 } },
      ...Object.entries(LOOKS).map(([kind, { shape, size }]) => ({ selector: `node[kind = "${kind}"]`, style: { "background-color": colour(`kind-${kind.toLowerCase()}`), shape, width: size, height: size } })),
      { selector: "node[?more]", style: { "border-width": 3, "border-style": "double", "border-color": colour("quiet") } },
      { selector: "edge", style: { width: "data(width)", "line-color": colour("line"), "curve-style": "haystack", "font-size": 10, color: colour("quiet"), label: "data(label)", "text-background-color": colour("card"), "text-background-opacity": 0.9, "min-zoomed-font-size": 7 } },
      { selector: "edge[?warm]", style: { "line-color": colour("warm") } },
      { selector: 'edge[type = "HALL"], edge[type = "RELATES_TO"]', style: { "line-color": colour("accent") } },
      { selector: 'edge[type = "TUNNEL"]', style: { "line-color": colour("accent"), "curve-style": "straight", "line-style": "dashed" } },
      { selector: 'edge[type = "SIMILAR_TO"]', style: { "curve-style": "straight", "line-style": "dotted" } },
      { selector: 'edge[type = "RELATES_TO"]', style: { "curve-style": "bezier", "target-arrow-shape": "triangle", "target-arrow-color": colour("accent") } },
      { selector: ".route", style: { "line-color": colour("good"), "target-arrow-color": colour("good"), "border-width": 4, "border-style": "solid", "border-color": colour("good"), "z-index": 9 } },
      { selector: "edge.route", style: { width: (edge) => Math.max(5, edge.data("width")) } },
      { selector: "node.chosen", style: { "border-width": 4, "border-style": "solid", "border-color": colour("focus") } },
      { selector: "edge.chosen", style: { "line-color": colour("focus") } },
      { selector: ".gone", style: { display: "none" } },
    ];
  }
}

function nodeData(node) {
  const name = node.name || node.id;
  return { id: node.id, kind: node.kind, label: name.length > LABEL ? `${name.slice(0, LABEL - 1).trimEnd()}…` : name, more: node.more ? 1 : 0 };
}

// Places around a point, on a circle that grows with the number of places.
function beside({ x, y }, place, places) {
  const turn = (2 * Math.PI * place) / Math.max(1, places);
  const radius = 60 + 4 * places;
  return { x: x + radius * Math.cos(turn), y: y + radius * Math.sin(turn) };
}
