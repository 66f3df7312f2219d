// The room that was chosen on the map: its pheromones, halls, tunnels and drawers.

import { get } from "./api.js";
import { bar } from "./bar.js";
import { el, replace } from "./dom.js";
import { openText } from "./drawer_dialog.js";
import { drawerText } from "./drawer_text.js";
import { graphLink } from "./graph_link.js";
import { firstWords } from "./markdown.js";
import { failed, waiting } from "./message.js";
import { count, decimal } from "./numbers.js";

const SHOWN = 6;

export function strengths(strength, most) {
  return el(
    "dl",
    { class: "strengths" },
    Object.entries(strength).map(([name, value]) =>
      el("div", {}, el("dt", {}, name), el("dd", {}, value > 0 ? bar(value / most[name]) : el("span", {}), el("span", { class: "figure" }, decimal(value)))),
    ),
  );
}

export function roomPanel({ map, room, wing, most, choose }) {
  const drawers = el("ul", { class: "drawers" }, el("li", {}, waiting("…")));
  const names = new Map(map.wings.flatMap((one) => one.rooms.map((other) => [other.id, `${one.name} › ${other.name}`])));
  const passages = map.passages
    .filter(({ source, target }) => source === room.id || target === room.id)
    .map((passage) => ({ ...passage, other: passage.source === room.id ? passage.target : passage.source }))
    .sort((a, b) => b.success - a.success);
  const here = new URLSearchParams({ wing: wing.name, room: room.name });
  fill(drawers, map.palace, wing.name, room.name);
  return [
    el("h2", {}, room.name),
    el("p", { class: "quiet" }, `wing ${wing.name} · ${room.hall_type} · ${count(room.drawers, "drawer")} in ${count(room.closets, "closet")}`),
    el("p", {}, el("a", { href: `#/search?${here}` }, "Search in this room"), " · ", el("a", { href: `#/add?${here}` }, "Add a note here"), " · ", graphLink(room.id)),
    el("h3", {}, "Drawers"),
    drawers,
    el("h3", {}, "Halls and tunnels"),
    passages.length === 0
      ? el("p", { class: "quiet" }, "None.")
      : el(
          "ul",
          { class: "doors" },
          passages.map(({ type, other, success }) =>
            el(
              "li",
              {},
              el("span", { class: `kind ${type.toLowerCase()}` }, type),
              el("button", { type: "button", class: "link", onclick: () => choose(other) }, names.get(other) ?? other),
              success > 0 && el("span", { class: "figure quiet" }, decimal(success)),
            ),
          ),
        ),
    el("h3", {}, "Pheromones now"),
    strengths(room.strength, most),
  ];
}

async function fill(list, palace, wing, room) {
  try {
    const { drawers, next } = await get("/v1/drawers", { palace, wing, room, limit: SHOWN });
    replace(
      list,
      drawers.length === 0 && el("li", { class: "quiet" }, "No drawers yet."),
      drawers.map((drawer) => el("li", {}, el("button", { type: "button", class: "link", onclick: () => openText(() => drawerText(drawer.id, { palace })) }, firstWords(drawer.text)))),
      next && el("li", { class: "quiet" }, "and more"),
    );
  } catch (error) {
    replace(list, el("li", {}, failed(error)));
  }
}
