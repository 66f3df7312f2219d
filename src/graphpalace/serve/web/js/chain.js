// The path to a drawer as a chain of shapes, one for each kind of node, with lines between them.

import { el, svg } from "./dom.js";

const SHAPES = {
  Palace: "M3 14V7l5-4 5 4v7z",
  Wing: "M3 13.5V6l5-3.5L13 6v7.5z",
  Room: "M3.5 3.5h9v9h-9z",
  Closet: "M4.5 2.5h7v11h-7z M8 2.5v11",
  Drawer: "M2.5 5.5h11v6h-11z M6.5 8.5h3",
  Entity: "M8 3a5 5 0 1 0 .01 0z",
};

export function chain(label, steps, { named = "chain-label" } = {}) {
  return el("div", { class: "chain" }, el("span", { class: named }, label), el("ol", {}, steps.map(step)));
}

function step({ kind, name, by }, at) {
  return el(
    "li",
    { title: `${kind}: ${name}` },
    at > 0 && link(by),
    svg("svg", { class: "glyph", viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: SHAPES[kind] ?? SHAPES.Entity })),
    el("span", { class: "visually-hidden" }, `${kind} `),
    el("span", { class: "chain-name" }, name),
  );
}

function link(by) {
  const line = svg("svg", { class: "link", viewBox: "0 0 24 16", "aria-hidden": "true" }, svg("path", { d: "M1 8h22" }));
  return by ? [line, el("span", { class: "by" }, by), line.cloneNode(true)] : line;
}

// The walk as steps that end at the drawer. Each node is listed once, with its name if the answers contain it.
export function walked(trail, drawer, names) {
  if (trail.length === 0) return [];
  const steps = [{ id: drawer }];
  for (const edge of trail.toReversed()) {
    const after = steps[0];
    after.by = edge.type;
    steps.unshift({ id: edge.source === after.id ? edge.target : edge.source });
  }
  return steps.map((one) => ({ ...one, ...(names.get(one.id) ?? { kind: "Drawer", name: "another drawer" }) }));
}
