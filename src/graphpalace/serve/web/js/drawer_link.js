// Links to a drawer, which also work in another tab and for somebody who has chosen another palace.

import { el } from "./dom.js";

/**
 * @param {string} id
 * @param {string | null} palace
 */
export function drawerHref(id, palace) {
  return `#/drawer?${new URLSearchParams({ id, ...(palace && { palace }) })}`;
}

/**
 * @param {string} id
 * @param {string | null} palace
 * @param {import("./dom.js").Child} shown
 */
export const drawerLink = (id, palace, shown) => el("a", { href: drawerHref(id, palace) }, shown);
