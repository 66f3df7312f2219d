// The five pheromones over time: a sample from each run of the decay, and the current state.

import { CONFIG, LINES, inTheme, layout, onTheme, plotly, visible } from "./charts.js";
import { el, replace } from "./dom.js";
import { failed, nothing } from "./message.js";

export class HistoryPlot {
  element = el("div", { class: "plot", role: "img", "aria-label": "Pheromones over time" });
  /** @type {any[] | null} */
  #points = null;

  constructor() {
    onTheme(() => this.#draw());
  }

  // `now` is the current state, in the form of a sample.
  async set(samples, now) {
    const before = samples.filter((sample) => sample.cycle < now.cycle);
    this.#points = before.length + (samples.length > before.length ? 1 : 0) > 0 ? [...before, now] : null;
    if (this.#points === null) {
      replace(this.element, nothing("No history yet.", "Each run of the decay adds a sample of all five pheromones."));
      return;
    }
    try {
      await this.#draw();
    } catch (error) {
      replace(this.element, failed(error));
    }
  }

  async #draw() {
    if (!this.#points || !visible(this.element)) return;
    const { react } = await plotly();
    const points = this.#points;
    if (!points) return; // another palace was chosen meanwhile
    if (!this.element.classList.contains("js-plotly-plot")) replace(this.element);
    const traces = Object.entries(LINES).map(([name, line]) => ({
      name,
      x: points.map((point) => point.cycle),
      y: points.map((point) => point[name]),
      mode: points.length > 60 ? "lines" : "lines+markers",
      line: { color: inTheme(line), dash: line.dash, width: 2 },
      marker: { symbol: line.symbol, size: 6 },
      hovertemplate: `cycle %{x}: %{y:.2f}<extra>${name}</extra>`,
    }));
    const axes = { xaxis: { title: { text: "cycle" } }, yaxis: { title: { text: "sum" }, rangemode: "tozero" } };
    await react(this.element, traces, layout({ ...axes, uirevision: "history" }), CONFIG);
  }
}
