// The graph: it begins at a wing, a room, a name or a drawer, and grows by click.

import { get, post } from "./api.js";
import { el, replace, viewHeading } from "./dom.js";
import { GraphDrawing, LOOKS } from "./graph_drawing.js";
import { GraphModel, KINDS, aged, edgeId, routeParts } from "./graph_model.js";
import { edgePanel, nodePanel, routePanel } from "./graph_panel.js";
import { failed } from "./message.js";
import { count, decimal } from "./numbers.js";
import { table } from "./tables.js";

const LIMIT = 40;
const MOST = 2000; // nodes that are drawn at a time
const LONGEST = 200; // cycles
const ID = /^[a-z]+-[0-9a-f]{26}$/;

export class GraphView {
  #app;
  /** @type {string | null} */
  #asked = null;
  #model = new GraphModel();
  #drawing = new GraphDrawing();
  #rates = {};
  #cycleSeconds = 0;
  #hidden = new Set();
  #chosen = {};
  /** @type {any} */
  #route = null;
  #ends = {};
  #start = el("input", { type: "search", name: "of", id: "graph-start", autocomplete: "off", maxlength: 500, placeholder: "A wing, WING/ROOM, or a name" });
  #summary = el("p", { class: "quiet", role: "status" });
  #frame = el("div", { class: "graph-frame" });
  #panel = el("section", { class: "card graph-panel", "aria-label": "What is chosen" });
  #cycles = el("input", { type: "range", name: "cycles", min: 0, max: LONGEST, value: 0, "aria-label": "Cycles from now" });
  #when = el("output", {}, "now");
  #costs = el("input", { type: "checkbox", name: "costs" });
  #table = el("div", { class: "table-frame", role: "region", tabindex: "0", "aria-label": "The graph as a table" });

  constructor(app) {
    this.#app = app;
    const form = el(
      "form",
      { class: "ask" },
      el("label", { class: "visually-hidden", for: "graph-start" }, "Begin at"),
      el("div", { class: "ask-line" }, this.#start, el("button", { class: "primary" }, "Begin here")),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#go(this.#start.value.trim());
    });
    this.#cycles.addEventListener("input", () => this.#age());
    this.#costs.addEventListener("change", () => {
      this.#drawing.showCosts(this.#costs.checked);
      this.#age();
    });
    this.#drawing.addEventListener("chosen", (/** @type {CustomEventInit} */ { detail }) => this.#choose(detail));
    this.#drawing.addEventListener("grown", (/** @type {CustomEventInit} */ { detail }) => this.#grow(detail));
    const zoom = (label, name, does) => el("button", { type: "button", title: name, "aria-label": name, onclick: does }, label);
    this.element = el(
      "section",
      { class: "graph-view", "aria-label": "Graph" },
      viewHeading("Graph"),
      form,
      el(
        "div",
        { class: "graph-parts" },
        el(
          "div",
          { class: "card graph-card" },
          el("div", { class: "graph-tools" }, this.#kinds(), el("span", { class: "actions" }, zoom("−", "Smaller", () => this.#drawing.zoom(0.8)), zoom("+", "Larger", () => this.#drawing.zoom(1.25)), zoom("Fit", "Show all", () => this.#drawing.fit()), zoom("Arrange", "Arrange the nodes anew", () => this.#drawing.arrange(true)))),
          this.#frame,
          el("div", { class: "graph-tools" }, el("label", { class: "time" }, "Decay ", this.#cycles, " ", this.#when), el("label", { class: "check" }, this.#costs, " show costs")),
          this.#summary,
          el("details", {}, el("summary", {}, "Show the graph as a table"), this.#table),
        ),
        this.#panel,
      ),
    );
  }

  async show(params) {
    const asked = `${this.#app.palace} ${params}`;
    if (asked === this.#asked) return this.#drawing.resize();
    this.#asked = asked;
    const of = params.get("of") ?? this.#app.palace;
    this.#start.value = params.has("of") && !ID.test(of) ? of : "";
    await this.#begin(of);
  }

  hide() {}

  forget() {
    this.#asked = null;
    if (location.hash.startsWith("#/graph?")) location.hash = "#/graph";
  }

  back() {
    if (this.#frame.querySelector(".problem")) this.#begin(this.#start.value || this.#app.palace);
  }

  #go(of) {
    const before = location.hash;
    location.hash = of ? `#/graph?${new URLSearchParams({ of })}` : "#/graph";
    if (location.hash === before) this.#begin(of || this.#app.palace);
  }

  async #begin(of) {
    const asked = this.#asked;
    this.#model.clear();
    this.#chosen = {};
    this.#route = null;
    this.#ends = {};
    replace(this.#summary, "Reading the graph…");
    if (!this.#drawing.element.isConnected) replace(this.#frame, this.#drawing.element);
    try {
      const [around] = await Promise.all([this.#surroundings(of), this.#clock(), this.#drawing.open()]);
      if (asked !== this.#asked) return;
      this.#drawing.clear();
      this.#drawing.resize();
      this.#take(around);
      this.#choose({ node: around.middle });
    } catch (error) {
      if (asked !== this.#asked) return;
      this.#drawing.clear();
      replace(this.#frame, failed(error, () => this.#begin(of)));
      replace(this.#summary);
      replace(this.#panel, el("p", { class: "quiet" }, "Begin at a wing, such as home, at a room, such as home/garden, or at a name that your texts mention."));
      replace(this.#table);
    }
  }

  // A name that people and things have is no place; its id is.
  async #surroundings(of, shown = []) {
    const ask = (node) => post("/v1/surroundings", { of: node, limit: LIMIT, shown }, { palace: this.#app.palace });
    try {
      return await ask(of);
    } catch (error) {
      if (error.code !== "NOT_FOUND") throw error;
      const named = await get(`/v1/names/${encodeURIComponent(of)}`, { palace: this.#app.palace, limit: 1 }).catch(() => null);
      if (!named) throw error;
      return ask(named.entity.id);
    }
  }

  async #clock() {
    const palace = this.#app.palace;
    const [{ pheromones }, { cycle_seconds: seconds }] = await Promise.all([get("/v1/pheromones/status", { palace }), get("/v1/decay", { palace })]);
    this.#rates = Object.fromEntries(pheromones.map(({ name, decay_rate: rate }) => [name, rate]));
    this.#cycleSeconds = seconds;
  }

  #take(parts, around = null) {
    this.#model.add(parts);
    this.#model.markMore();
    this.#drawing.sync(this.#model, { around });
    this.#drawing.hideKinds(this.#hidden);
    this.#age();
  }

  async #grow(id) {
    if (this.#model.nodes.size >= MOST) return replace(this.#summary, `${MOST} nodes are drawn at most. Hide some, or begin again at another node.`);
    const asked = this.#asked;
    try {
      const around = await this.#surroundings(id, [...this.#model.nodes.keys()]);
      if (asked !== this.#asked) return;
      this.#take(around, id);
      this.#choose({ node: id });
    } catch (error) {
      if (asked === this.#asked) replace(this.#panel, failed(error, () => this.#grow(id)));
    }
  }

  #remove(id) {
    this.#model.remove(id);
    this.#take({ nodes: [], edges: [] });
    this.#choose({});
  }

  async #way(end, id) {
    this.#ends[end] = id;
    const { from, to } = this.#ends;
    if (!from || !to) return replace(this.#summary, `Now choose where the way ${end === "from" ? "ends" : "begins"}.`);
    this.#ends = {};
    const asked = this.#asked;
    try {
      const route = await post("/v1/navigate", { from, to }, { palace: this.#app.palace });
      if (asked !== this.#asked) return;
      this.#route = route;
      const parts = routeParts(route);
      this.#take(parts, from);
      this.#drawing.trace(parts);
      this.#choose({});
    } catch (error) {
      if (asked === this.#asked) replace(this.#panel, failed(error));
    }
  }

  #choose(chosen) {
    this.#chosen = chosen;
    this.#drawing.choose(chosen.node ?? chosen.edge);
    this.#draw();
  }

  #draw() {
    const cycles = Number(this.#cycles.value);
    const model = this.#model;
    const node = model.nodes.get(this.#chosen.node);
    const edge = model.edges.get(this.#chosen.edge);
    const act = { grow: (id) => this.#grow(id), remove: (id) => this.#remove(id), middle: (id) => this.#go(id), from: (id) => this.#way("from", id), to: (id) => this.#way("to", id) };
    if (node) replace(this.#panel, nodePanel(node, { model, palace: this.#app.palace, act }));
    else if (edge) replace(this.#panel, edgePanel(aged(edge, this.#rates, cycles), { model, cycles }));
    else if (this.#route) replace(this.#panel, routePanel(this.#route, { clear: () => this.#forgetRoute() }));
    else replace(this.#panel, el("p", { class: "quiet" }, "Click a node to see what it is, and twice to grow the graph from it. A double border means that it has neighbours which are not shown. Click an edge to see its trail and its cost."));
  }

  #forgetRoute() {
    this.#route = null;
    this.#drawing.trace({ nodes: [], edges: [] });
    this.#draw();
  }

  #age() {
    const cycles = Number(this.#cycles.value);
    const edges = [...this.#model.edges.values()].map((edge) => aged(edge, this.#rates, cycles));
    replace(this.#when, cycles === 0 ? "now" : `after ${count(cycles, "cycle")}, ${span(cycles * this.#cycleSeconds)} without use`);
    this.#drawing.age(edges);
    replace(this.#summary, `${count(this.#model.nodes.size, "node")}, ${count(edges.length, "edge")}. The thicker an edge, the stronger its trail.`);
    replace(this.#table, this.#rows(edges));
    this.#draw();
  }

  #kinds() {
    const box = (kind) => {
      const input = el("input", { type: "checkbox", name: `kind-${kind}`, checked: true });
      input.addEventListener("change", () => {
        if (input.checked) this.#hidden.delete(kind);
        else this.#hidden.add(kind);
        this.#drawing.hideKinds(this.#hidden);
      });
      return el("label", { class: "check" }, input, " ", swatch(kind), kind === "Entity" ? " names" : ` ${kind.toLowerCase()}s`);
    };
    return el("span", { class: "kinds", role: "group", "aria-label": "Kinds of nodes that are shown" }, KINDS.filter((kind) => kind !== "Palace").map(box));
  }

  #rows(edges) {
    const name = (id) => el("button", { type: "button", class: "link", onclick: () => this.#choose({ node: id }) }, this.#model.nodes.get(id).name || id);
    const strong = edges.toSorted((a, b) => b.strength - a.strength || a.current_cost - b.current_cost);
    const row = (edge) => el("tr", {}, el("td", {}, name(edge.source)), el("td", {}, el("button", { type: "button", class: "link", onclick: () => this.#choose({ edge: edgeId(edge) }) }, edge.predicates?.join(", ") || edge.type)), el("td", {}, name(edge.target)), el("td", {}, decimal(edge.strength)), el("td", {}, decimal(edge.current_cost)));
    return table(["From", "Edge", "To", "Trail", "Cost"], strong.map(row));
  }
}

const swatch = (kind) => el("span", { class: `swatch ${LOOKS[kind].shape}`, "data-kind": kind, "aria-hidden": "true" });

function span(seconds) {
  if (seconds < 5400) return count(Math.round(seconds / 60), "minute");
  return seconds < 172_800 ? count(Math.round(seconds / 3600), "hour") : count(Math.round(seconds / 86_400), "day");
}
