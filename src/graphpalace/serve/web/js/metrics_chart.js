// The metrics of a simulation: the latest values as figures, and all values since the page was opened as lines.

import { CONFIG, LINES, inTheme, layout, onTheme, plotly, visible } from "./charts.js";
import { el, replace } from "./dom.js";

const KEPT = 2000;
const DRAW_EVERY_MS = 400;
const FIGURES = { avg_rel: "mean relevance", max_rel: "best relevance", trails: "trails", avg_speed: "mean speed", trail_mass: "trail mass", steps_per_s: "steps per second" };
/** @type {Record<string, import("./charts.js").Line & { name: string, yaxis?: string }>} */
const DRAWN = {
  avg_rel: { name: "mean relevance", ...LINES.exploitation },
  max_rel: { name: "best relevance", ...LINES.exploration },
  trails: { name: "trails (right)", ...LINES.success, yaxis: "y2" },
};

export class MetricsChart {
  figures = el("dl", { class: "figures" });
  element = el("div", { class: "metrics-plot", role: "img", "aria-label": "Metrics by step" });
  #rows = [];
  #due = 0;

  constructor() {
    onTheme(() => this.#later());
    this.show({});
  }

  add(metrics) {
    if (this.#rows.length > 0 && metrics.step < this.#rows.at(-1).step) this.#rows = [];
    if (this.#rows.at(-1)?.step !== metrics.step) this.#rows.push(metrics);
    if (this.#rows.length > KEPT) this.#rows.shift();
    this.show(metrics);
    this.#later();
  }

  show(metrics) {
    replace(this.figures, Object.entries(FIGURES).map(([name, label]) => el("div", {}, el("dt", {}, label), el("dd", { class: "figure" }, shown(metrics[name])))));
  }

  clear() {
    this.#rows = [];
    this.show({});
    globalThis.Plotly?.purge(this.element);
    this.element.classList.remove("js-plotly-plot");
    replace(this.element, el("p", { class: "quiet" }, "The metrics of each step appear here."));
  }

  #later() {
    if (this.#due) return;
    this.#due = setTimeout(() => this.#draw().finally(() => (this.#due = 0)), DRAW_EVERY_MS);
  }

  async #draw() {
    if (this.#rows.length < 2 || !visible(this.element)) return;
    const { react } = await plotly();
    if (!this.element.classList.contains("js-plotly-plot")) replace(this.element);
    const traces = Object.entries(DRAWN).map(([field, line]) => ({
      name: line.name,
      x: this.#rows.map((row) => row.step),
      y: this.#rows.map((row) => row[field]),
      yaxis: line.yaxis,
      mode: "lines",
      line: { color: inTheme(line), dash: line.dash, width: 2 },
    }));
    const second = { overlaying: "y", side: "right", showgrid: false, tickmode: "auto", rangemode: "tozero", automargin: true };
    const margin = { l: 40, r: 40, t: 32, b: 30 };
    await react(this.element, traces, layout({ margin, xaxis: { title: { text: "step" } }, yaxis2: second, uirevision: "metrics" }), CONFIG);
  }
}

function shown(value) {
  if (value === undefined || value === null) return "–";
  return Number.isInteger(value) ? value.toLocaleString("en") : Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(3);
}
