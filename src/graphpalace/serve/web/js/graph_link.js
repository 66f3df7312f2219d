// Links to the graph, beginning at a node.

import { el } from "./dom.js";

export const graphLink = (of, shown = "Show in the graph") => el("a", { href: `#/graph?${new URLSearchParams({ of })}` }, shown);
