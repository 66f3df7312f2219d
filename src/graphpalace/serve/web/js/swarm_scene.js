// The picture of the swarm: agents, documents sized by relevance, and trails as wide as they are strong.

import { CONFIG, colour, hasWebGL, layout, onTheme, plotly, visible, withoutWebGL } from "./charts.js";
import { el, replace } from "./dom.js";

const WIDTHS = [[0, 1], [0.25, 2.5], [0.6, 5]]; // [least share of the strongest trail, width in pixels]

export class SwarmScene extends EventTarget {
  /** @type {HTMLDivElement & { on?: any }} Plotly adds `on`. */
  element = el("div", { class: "scene", role: "img", "aria-label": "Documents, agents and trails of the simulation" });
  shows = { documents: true, agents: true, trails: true };
  /** @type {any} */
  #snapshot = null;
  #drawing = false;
  #stale = false;

  constructor() {
    super();
    onTheme(() => this.draw());
  }

  set(snapshot) {
    this.#snapshot = snapshot;
    this.draw();
  }

  clear(message) {
    this.#snapshot = null;
    globalThis.Plotly?.purge(this.element);
    this.element.classList.remove("js-plotly-plot");
    delete this.element.dataset.listens;
    replace(this.element, message);
  }

  // Pictures that arrive while one is drawn are skipped, except the latest.
  async draw() {
    this.#stale = true;
    if (this.#drawing) return;
    this.#drawing = true;
    while (this.#stale && this.#snapshot && visible(this.element)) {
      this.#stale = false;
      await this.#react();
    }
    this.#drawing = false;
  }

  async #react() {
    const Plotly = await plotly();
    const snapshot = this.#snapshot;
    if (!snapshot) return;
    const solid = snapshot.dims === 3 && hasWebGL();
    if (!this.element.classList.contains("js-plotly-plot")) replace(this.element);
    const axis = { visible: false, showspikes: false };
    const shape = solid
      ? { scene: { xaxis: axis, yaxis: axis, zaxis: axis, aspectmode: "data", camera: { eye: { x: 0.9, y: 0.9, z: 0.65 } }, uirevision: "3" }, margin: { l: 0, r: 0, t: 0, b: 0 } }
      : { xaxis: axis, yaxis: { ...axis, scaleanchor: "x" }, margin: { l: 8, r: 8, t: 8, b: 8 }, dragmode: "pan" };
    const more = { showlegend: false, uirevision: `${snapshot.dims}`, hovermode: "closest" };
    await Plotly.react(this.element, this.#traces(snapshot, solid), layout({ ...shape, ...more }), { ...CONFIG, scrollZoom: true });
    if (hasWebGL() && this.element.querySelector(".no-webgl")) {
      withoutWebGL();
      Plotly.purge(this.element);
      this.element.classList.remove("js-plotly-plot");
      delete this.element.dataset.listens;
      this.#stale = true;
      return;
    }
    if (!this.element.dataset.listens) {
      this.element.dataset.listens = "yes";
      this.element.on("plotly_click", ({ points }) => {
        const id = points[0]?.customdata;
        if (id) this.dispatchEvent(new CustomEvent("chosen", { detail: id }));
      });
    }
  }

  #traces({ documents, agents, edges }, solid) {
    const type = solid ? "scatter3d" : "scatter"; // scattergl would compile code from text
    const points = (xy) => {
      const axes = { x: xy.map((point) => point[0]), y: xy.map((point) => point[1]) };
      return solid ? { ...axes, z: xy.map((point) => point[2]) } : axes;
    };
    const trails = this.shows.trails ? trailTraces(edges, type, solid) : [];
    const [least, most] = [Math.min(...documents.relevance), Math.max(...documents.relevance)];
    const share = documents.relevance.map((value) => (most > least ? (value - least) / (most - least) : 0.5));
    const found = this.shows.documents && {
      type,
      name: "documents",
      mode: "markers",
      ...points(documents.xy),
      customdata: documents.meta.map(({ id }) => id),
      text: documents.meta.map(({ score, visits, snippet }, at) => `${wrapped(snippet)}<br>relevance ${(score ?? documents.relevance[at]).toFixed(3)}, ${visits} visits`),
      hovertemplate: "%{text}<extra>document</extra>",
      marker: {
        size: share.map((value) => (solid ? 2.5 + 9 * value ** 3 : 5 + 14 * value ** 3)),
        color: share,
        cmin: 0,
        cmax: 1,
        colorscale: [[0, colour("faint")], [1, colour("warm")]],
        opacity: 0.9,
        line: { width: solid ? 0 : 0.5, color: colour("card") },
      },
    };
    const walkers = this.shows.agents && {
      type,
      name: "agents",
      mode: "markers",
      ...points(agents.xy),
      hoverinfo: "skip",
      marker: { symbol: solid ? "cross" : "triangle-up", size: solid ? 3 : 6, color: colour("accent"), opacity: 0.75 },
    };
    return [...trails, found, walkers].filter(Boolean);
  }
}

function trailTraces(edges, type, solid) {
  const strongest = Math.max(...edges.map(({ s }) => s), 1e-9);
  return WIDTHS.map(([from, width], at) => {
    const to = WIDTHS[at + 1]?.[0] ?? Infinity;
    const chosen = edges.filter(({ s }) => s / strongest >= from && s / strongest < to);
    const ends = (name) => chosen.flatMap((edge) => [edge[`${name}0`], edge[`${name}1`], null]);
    const lines = { x: ends("x"), y: ends("y"), ...(solid && { z: ends("z") }) };
    return { type, name: "trails", mode: "lines", hoverinfo: "skip", ...lines, line: { width, color: colour("trail") }, opacity: 0.3 + 0.25 * at };
  });
}

// Plotly renders a few HTML tags in labels, so tags in the text of a document are escaped.
function wrapped(text) {
  const safe = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return safe.replace(/(.{50}\S*)\s/g, "$1<br>");
}
