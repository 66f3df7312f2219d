// Links to the page of a name.

import { el } from "./dom.js";

// Of the types of names, those that are right nine times in ten. The others are guesses, which are not shown.
export const SURE_TYPES = ["code"];

export function kind(type) {
  return SURE_TYPES.includes(type) && el("span", { class: "kind" }, type);
}

/** @param {string} name or its id */
export const nameHref = (name) => `#/names?${new URLSearchParams({ name })}`;

export function nameLink(name, shown = name) {
  return el("a", { class: "name", href: nameHref(name) }, shown);
}
