// The edges with the strongest trails.

import { bar } from "./bar.js";
import { el } from "./dom.js";
import { nothing } from "./message.js";
import { decimal, percent } from "./numbers.js";

export function hotPaths(edges) {
  if (edges.length === 0) return nothing("No trails yet.", "Mark answers as useful, and the paths to them appear here.");
  return el(
    "ol",
    { class: "hot" },
    edges.map((edge) =>
      el(
        "li",
        {},
        el("p", {}, el("span", { class: "kind" }, edge.type), " ", edge.target.place.join(" › ")),
        el("p", { class: "quiet" }, `from ${edge.source.place.join(" › ")}`),
        bar(edge.factor),
        el("p", { class: "quiet figure" }, `success ${decimal(edge.success)} · traversal ${decimal(edge.traversal)} · recency ${decimal(edge.recency)} · ${percent(edge.discount)} cheaper`),
      ),
    ),
  );
}
