// Links to the page of a name.

import { el } from "./dom.js";

export function nameLink(name, shown = name) {
  return el("a", { class: "name", href: `#/names?${new URLSearchParams({ name })}` }, shown);
}
