// The map: wings as frames with their rooms. More drawers make a room larger, and more pheromone makes it warmer.

import { replace, svg } from "./dom.js";
import { count, decimal } from "./numbers.js";
import { squarify } from "./treemap.js";

const HEAD = 24;
const GAP = 4;
const LETTER = 7.2; // approximate width of a letter in pixels

export class PalaceMap extends EventTarget {
  element = svg("svg", { class: "map", role: "group", "aria-label": "Rooms of the palace. Use the arrow keys to move between rooms." });
  /** @type {any} */
  #map = null;
  #pheromone = "exploitation";
  #passages = false;
  #chosen = null;
  #cells = new Map();
  #labels = []; // they are drawn last, so that no line runs over a letter

  constructor() {
    super();
    new ResizeObserver(() => this.draw()).observe(this.element);
    this.element.addEventListener("keydown", (event) => this.#keys(event));
  }

  set(changes) {
    if ("map" in changes) this.#map = changes.map;
    if ("pheromone" in changes) this.#pheromone = changes.pheromone;
    if ("passages" in changes) this.#passages = changes.passages;
    if ("chosen" in changes) this.#chosen = changes.chosen;
    this.draw();
  }

  draw() {
    const width = this.element.clientWidth;
    if (!this.#map || width === 0) return;
    const focused = /** @type {SVGElement | null} */ (document.activeElement)?.dataset?.room;
    const wings = this.#map.wings.filter((wing) => wing.rooms.length > 0);
    const rooms = wings.reduce((sum, wing) => sum + wing.rooms.length, 0);
    const height = width < 600 ? Math.max(360, rooms * 20) : Math.min(Math.max(360, width * 0.55), 720);
    this.element.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.element.style.height = `${height}px`;
    const most = Math.max(...wings.flatMap((wing) => wing.rooms.map((room) => room.strength[this.#pheromone])), 0);
    this.#cells.clear();
    this.#labels = [];
    // A wing with one drawer stays visible beside a wing with thousands.
    const frames = squarify(wings.map((wing) => ({ wing, size: area(wing.drawers) })), { x: 0, y: 0, w: width, h: height });
    const walls = frames.map((frame) => this.#frame(frame, most));
    replace(this.element, walls, this.#lines(), svg("g", { class: "labels", "aria-hidden": "true" }, this.#labels));
    if (focused) this.#cells.get(focused)?.node.focus();
  }

  #frame({ wing, x, y, w, h }, most) {
    const inner = { x: x + GAP + 2, y: y + HEAD, w: w - 2 * GAP - 4, h: h - HEAD - GAP - 2 };
    const cells = squarify(wing.rooms.map((room) => ({ room, size: area(room.drawers) })), inner);
    this.#labels.push(svg("text", { class: "wing-name", x: x + 10, y: y + 17 }, cut(wing.name, w - 20)));
    return svg(
      "g",
      { class: "wing" },
      svg("rect", { x: x + 2, y: y + 2, width: Math.max(0, w - 4), height: Math.max(0, h - 4), rx: 8 }),
      cells.map((cell) => this.#cell(cell, wing, most)),
    );
  }

  #cell({ room, x, y, w, h }, wing, most) {
    const value = room.strength[this.#pheromone];
    const share = most > 0 ? value / most : 0;
    const [left, top, wide, high] = [x + GAP / 2, y + GAP / 2, Math.max(1, w - GAP), Math.max(1, h - GAP)];
    const node = svg(
      "g",
      {
        class: "room",
        role: "button",
        tabindex: this.#cells.size === 0 ? "0" : "-1",
        "data-room": room.id,
        "aria-pressed": String(room.id === this.#chosen),
        "aria-label": `${room.name}, wing ${wing.name}, ${count(room.drawers, "drawer")}, ${this.#pheromone} ${decimal(value)}`,
        onclick: () => this.#choose(room.id),
      },
      svg("title", {}, `${wing.name} › ${room.name}\n${count(room.drawers, "drawer")}\n${this.#pheromone} ${decimal(value)}`),
      svg("rect", { class: "floor", x: left, y: top, width: wide, height: high, rx: 5, style: `--share: ${Math.sqrt(share).toFixed(3)}` }),
      value > 0 && svg("rect", { class: "gauge", x: left + 4, y: top + high - 7, width: Math.max(2, (wide - 8) * share), height: Math.min(4, high / 3), rx: 2 }),
    );
    const words = [
      high > 22 && wide > 30 && svg("text", { x: left + 7, y: top + 16 }, cut(room.name, wide - 12)),
      high > 40 && wide > 44 && svg("text", { class: "number", x: left + 7, y: top + 32 }, fitting([count(room.drawers, "drawer"), `${room.drawers}`], wide - 12)),
      value > 0 && high > 58 && wide > 44 && svg("text", { class: "strength", x: left + 7, y: top + high - 12 }, decimal(value)),
    ];
    this.#labels.push(svg("g", { style: `--share: ${Math.sqrt(share).toFixed(3)}` }, words));
    this.#cells.set(room.id, { node, room, x: x + w / 2, y: y + h / 2 });
    return node;
  }

  #lines() {
    const drawn = this.#map.passages.filter(
      ({ source, target }) => this.#passages || source === this.#chosen || target === this.#chosen,
    );
    const most = Math.max(...this.#map.passages.map((passage) => passage.success), 1e-9);
    return svg(
      "g",
      { class: "passages", "aria-hidden": "true" },
      drawn.map((passage) => {
        const [a, b] = [this.#cells.get(passage.source), this.#cells.get(passage.target)];
        if (!a || !b) return null;
        const bend = `${(a.x + b.x) / 2 + (b.y - a.y) * 0.15} ${(a.y + b.y) / 2 - (b.x - a.x) * 0.15}`;
        return svg("path", {
          class: passage.type.toLowerCase(),
          d: `M${a.x} ${a.y} Q${bend} ${b.x} ${b.y}`,
          "stroke-width": (1.5 + (4 * passage.success) / most).toFixed(1),
        });
      }),
    );
  }

  #choose(id) {
    this.set({ chosen: id });
    this.#cells.get(id)?.node.focus();
    this.dispatchEvent(new CustomEvent("chosen", { detail: id }));
  }

  #keys(event) {
    const here = this.#cells.get(event.target.dataset?.room);
    if (!here) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#choose(here.room.id);
    }
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
    if (dx === 0 && dy === 0) return;
    event.preventDefault();
    const next = nearest([...this.#cells.values()], here, dx, dy);
    if (!next) return;
    here.node.setAttribute("tabindex", "-1");
    next.node.setAttribute("tabindex", "0");
    next.node.focus();
  }
}

const area = (drawers) => Math.max(drawers, 1) ** 0.7;

function cut(text, pixels) {
  const most = Math.floor(pixels / LETTER);
  return text.length <= most ? text : most < 3 ? "" : `${text.slice(0, most - 1)}…`;
}

const fitting = (texts, pixels) => texts.find((text) => text.length * LETTER <= pixels) ?? "";

function nearest(cells, here, dx, dy) {
  const ways = cells
    .map((cell) => ({ cell, ahead: (cell.x - here.x) * dx + (cell.y - here.y) * dy, aside: Math.abs((cell.x - here.x) * dy) + Math.abs((cell.y - here.y) * dx) }))
    .filter(({ ahead }) => ahead > 1);
  return ways.sort((a, b) => a.ahead + 2 * a.aside - b.ahead - 2 * b.aside)[0]?.cell;
}
