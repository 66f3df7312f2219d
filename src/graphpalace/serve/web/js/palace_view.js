// The palace: its map, the chosen room, hot paths, the pheromones over time, and the decay.

import { get } from "./api.js";
import { LINES } from "./charts.js";
import { decayPanel } from "./decay_panel.js";
import { el, options, replace, viewHeading } from "./dom.js";
import { emptyPalace } from "./empty_palace.js";
import { HistoryPlot } from "./history_plot.js";
import { hotPaths } from "./hot_paths.js";
import { failed, waiting } from "./message.js";
import { count, decimal } from "./numbers.js";
import { PalaceMap } from "./palace_map.js";
import { roomPanel, strengths } from "./room_panel.js";
import { table } from "./tables.js";

const REFRESH_MS = 30_000;

export class PalaceView {
  #app;
  /** @type {any} */
  #map = null;
  #timer = 0;
  #drawing = new PalaceMap();
  #plot = new HistoryPlot();
  #pheromone = options(el("select", { name: "pheromone" }), Object.keys(LINES).map((name) => [name, name]), "exploitation");
  #passages = el("input", { type: "checkbox", name: "passages" });
  #summary = el("p", { class: "quiet", role: "status" });
  #frame = el("div", { class: "map-frame" });
  #table = el("div", { class: "table-frame", role: "region", tabindex: "0", "aria-label": "The map as a table" });
  #panel = el("section", { class: "card room-panel", "aria-label": "Chosen room" });
  #hot = el("div", {});
  #decay = el("div", { class: "decay" });

  constructor(app) {
    this.#app = app;
    this.#pheromone.addEventListener("change", () => this.#drawing.set({ pheromone: this.#pheromone.value }));
    this.#passages.addEventListener("change", () => this.#drawing.set({ passages: this.#passages.checked }));
    this.#drawing.addEventListener("chosen", (/** @type {CustomEventInit} */ { detail }) => this.#choose(detail));
    const tools = el(
      "div",
      { class: "tools" },
      el("label", {}, "Pheromone ", this.#pheromone),
      el("label", { class: "check" }, this.#passages, " show all halls and tunnels"),
      this.#summary,
    );
    const legend = el(
      "p",
      { class: "legend quiet" },
      "A larger room has more drawers. A warmer room has a stronger tint and a longer bar. ",
      el("span", { class: "hall-line" }, "hall"),
      " ",
      el("span", { class: "tunnel-line" }, "tunnel"),
    );
    const asTable = el("details", {}, el("summary", {}, "Show the map as a table"), this.#table);
    this.element = el(
      "section",
      { class: "palace", "aria-label": "Palace" },
      viewHeading("Palace"),
      el(
        "div",
        { class: "column" },
        el("div", { class: "card" }, el("h2", {}, "Map"), tools, this.#frame, legend, asTable),
        el("div", { class: "card" }, el("h2", {}, "Pheromones over time"), this.#plot.element),
      ),
      el("div", { class: "column" }, this.#panel, el("div", { class: "card" }, el("h2", {}, "Decay"), this.#decay)),
      el("div", { class: "card hot-card" }, el("h2", {}, "Hot paths"), this.#hot),
    );
  }

  async show() {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => document.hidden || this.#load(), REFRESH_MS);
    if (!this.#map) replace(this.#frame, waiting("Drawing the map…"));
    await this.#load();
  }

  hide() {
    clearInterval(this.#timer);
  }

  forget() {
    this.#map = null;
    this.#drawing.set({ chosen: null });
  }

  back() {
    this.#load();
  }

  async #load() {
    const palace = this.#app.palace;
    const paths = ["/v1/map", "/v1/pheromones/hot", "/v1/pheromones/status", "/v1/pheromones/history", "/v1/decay"];
    const limits = { "/v1/pheromones/hot": { kind: "edge", limit: 10 } };
    try {
      const [map, hot, status, history, decay] = await Promise.all(paths.map((path) => get(path, { palace, ...limits[path] })));
      if (palace !== this.#app.palace) return;
      this.#draw(map);
      replace(this.#hot, hotPaths(hot.edges));
      replace(this.#decay, decayPanel(decay, { palace, ran: () => this.#load() }));
      const now = Object.fromEntries(status.pheromones.map((one) => [one.name, one.sum]));
      await this.#plot.set(history.samples, { cycle: status.cycle, ...now });
    } catch (error) {
      if (this.#map) replace(this.#summary, error.message);
      else replace(this.#frame, failed(error, () => this.#load()));
    }
  }

  #draw(map) {
    const fresh = this.#map === null;
    this.#map = map;
    const rooms = map.wings.flatMap((wing) => wing.rooms);
    replace(this.#summary, `${count(map.wings.length, "wing")}, ${count(rooms.length, "room")}, cycle ${map.cycle}`);
    if (rooms.length === 0) {
      replace(this.#frame, emptyPalace("No rooms yet."));
    } else if (!this.#drawing.element.isConnected) replace(this.#frame, this.#drawing.element);
    this.#drawing.set({ map });
    replace(this.#table, roomTable(map));
    if (fresh) this.#overview();
  }

  #most() {
    const rooms = this.#map.wings.flatMap((wing) => wing.rooms);
    return Object.fromEntries(Object.keys(LINES).map((name) => [name, Math.max(0, ...rooms.map((room) => room.strength[name]))]));
  }

  #overview() {
    const sum = (name) => this.#map.wings.reduce((all, wing) => all + wing.strength[name], 0);
    const all = Object.fromEntries(Object.keys(LINES).map((name) => [name, sum(name)]));
    const most = Math.max(...Object.values(all));
    replace(
      this.#panel,
      el("h2", {}, this.#map.palace),
      el("p", { class: "quiet" }, "Choose a room on the map to see what is in it."),
      el("h3", {}, "Wings"),
      el("ul", { class: "wings" }, this.#map.wings.map((wing) => el("li", {}, el("span", {}, wing.name), el("span", { class: "quiet" }, `${count(wing.drawers, "drawer")}, ${count(wing.rooms.length, "room")}`)))),
      el("h3", {}, "Pheromones now, over all rooms"),
      strengths(all, Object.fromEntries(Object.keys(all).map((name) => [name, most]))),
    );
  }

  #choose(id) {
    const wing = this.#map.wings.find((one) => one.rooms.some((room) => room.id === id));
    if (!wing) return;
    const room = wing.rooms.find((one) => one.id === id);
    this.#drawing.set({ chosen: id });
    replace(this.#panel, roomPanel({ map: this.#map, room, wing, most: this.#most(), choose: (other) => this.#choose(other) }));
  }
}

function roomTable(map) {
  const rows = map.wings.flatMap((wing) => wing.rooms.map((room) => ({ wing: wing.name, ...room })));
  rows.sort((a, b) => b.strength.exploitation - a.strength.exploitation || a.wing.localeCompare(b.wing) || a.name.localeCompare(b.name));
  return table(
    ["Wing", "Room", "Drawers", ...Object.keys(LINES)],
    rows.map((row) => el("tr", {}, el("td", {}, row.wing), el("th", { scope: "row" }, row.name), el("td", {}, String(row.drawers)), Object.keys(LINES).map((name) => el("td", {}, decimal(row.strength[name]))))),
  );
}
