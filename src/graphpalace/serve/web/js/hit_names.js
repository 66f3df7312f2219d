// The names of an answer, and the name by which it was found.

import { el, replace } from "./dom.js";
import { nameLink } from "./name_link.js";
import { count } from "./numbers.js";

const SHOWN = 7;

// Filled when the names of all answers were read.
export class HitNames {
  element = el("div", { class: "chain names", hidden: true });

  fill(names) {
    if (names.length === 0) return;
    const items = names.map((one) => el("li", { title: `in ${count(one.drawer_count, "drawer")}` }, nameLink(one.id, one.name)));
    const list = el("ul", {}, items.slice(0, SHOWN));
    if (items.length > SHOWN) {
      const more = el("button", { type: "button", class: "link" }, `and ${items.length - SHOWN} more`);
      more.addEventListener("click", () => {
        replace(list, items);
        items[SHOWN].firstChild.focus();
      });
      list.append(el("li", {}, more));
    }
    replace(this.element, el("span", { class: "chain-label" }, "Names"), list).hidden = false;
  }
}

// `places` has the number of each answer by its drawer.
export function byName(way, places) {
  const place = places.get(way.drawer);
  const lead = el("button", { type: "button", class: "link", onclick: go }, `answer ${place}`);
  const whose = way.drawer === null ? "which the question mentions" : place ? ["which ", lead, " mentions too"] : "which another of the best passages mentions too";
  return el("p", { class: "way" }, "Found by the name ", nameLink(way.entity, way.name), ", ", whose, ".");

  function go(event) {
    event.stopPropagation(); // the other answer becomes the current one, and not this one
    /** @type {NodeListOf<HTMLElement>} */
    const cards = document.querySelectorAll(".hit");
    cards[place - 1]?.focus();
    cards[place - 1]?.click();
  }
}
