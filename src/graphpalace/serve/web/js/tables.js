// Tables and lists of named values, as several views show them.

import { el } from "./dom.js";

/**
 * A table with a line of titles.
 * @param {string[]} columns
 * @param {import("./dom.js").Child[]} rows
 * @param {{ kind?: string, caption?: import("./dom.js").Child }} [more] kind: the class
 */
export function table(columns, rows, { kind, caption } = {}) {
  return el("table", { class: kind }, caption, el("thead", {}, el("tr", {}, columns.map((title) => el("th", { scope: "col" }, title)))), el("tbody", {}, rows));
}

/**
 * Named values, one on a line.
 * @param {import("./dom.js").Child[]} rows as `named` makes them
 */
export const namedValues = (...rows) => el("dl", { class: "facts" }, rows);

/**
 * @param {string} name
 * @param {import("./dom.js").Child} value
 * @param {import("./dom.js").Props} [props] of the value
 */
export const named = (name, value, props = {}) => el("div", {}, el("dt", {}, name), el("dd", props, value));
