// Builds elements. Text of the service becomes text nodes, never markup.

const SVG = "http://www.w3.org/2000/svg";

export function el(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

export function svg(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(node, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value") node.value = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export function replace(node, ...children) {
  node.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export function options(select, rows, chosen) {
  replace(select, rows.map(([value, label]) => el("option", { value, selected: value === chosen }, label)));
  return select;
}

// The heading of a view, for those who hear the page: the navigation shows it to all others.
export const viewHeading = (title) => el("h1", { class: "visually-hidden" }, title);

let last = 0;

export function freshId(prefix) {
  last += 1;
  return `${prefix}-${last}`;
}
