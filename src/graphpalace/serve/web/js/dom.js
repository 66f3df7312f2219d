// Builds elements. Text of the service becomes text nodes, never markup.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | false | null | undefined | Child[]} Child What an element contains; false, null and undefined are left out. */
/** @typedef {Record<string, any>} Props Attributes, `value`, and listeners such as `onclick`; false, null and undefined are left out. */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Props} props
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Props} props
 * @param {Child[]} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

/**
 * @template {Element} Filled
 * @param {Filled} node
 * @param {Props} props
 * @param {Child[]} children
 */
function fill(node, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value") Object.assign(node, { value });
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of shown(children)) node.append(child); // one by one: there may be more than a call can have arguments
  return node;
}

/**
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
function shown(children) {
  return /** @type {any[]} */ (children).flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

/**
 * @template {Element} Filled
 * @param {Filled} node
 * @param {Child[]} children
 */
export function replace(node, ...children) {
  node.replaceChildren();
  for (const child of shown(children)) node.append(child);
  return node;
}

/**
 * Fills a choice with rows of a value and its label.
 * @param {HTMLSelectElement} select
 * @param {string[][]} rows
 * @param {string | null} [chosen]
 */
export function options(select, rows, chosen) {
  replace(select, rows.map(([value, label]) => el("option", { value, selected: value === chosen }, label)));
  return select;
}

/**
 * The heading of a view, for those who hear the page: the navigation shows it to all others.
 * @param {string} title
 */
export const viewHeading = (title) => el("h1", { class: "visually-hidden" }, title);

let last = 0;

/** @param {string} prefix */
export function freshId(prefix) {
  last += 1;
  return `${prefix}-${last}`;
}
