// A fact as a sentence, with links to its names, its times, and the texts that say so.

import { el } from "./dom.js";
import { drawerText } from "./drawer_text.js";
import { openText } from "./drawer_dialog.js";
import { nameLink } from "./name_link.js";
import { count, day } from "./numbers.js";

const SHOWN = 3;

// `about` is the name whose page shows the fact, which needs no link to itself.
export function sentence({ subject, predicate, object }, about = null) {
  const name = (one) => (one === about ? el("b", {}, one) : nameLink(one));
  return [name(subject), " ", el("span", { class: "predicate" }, predicate.replaceAll("_", " ")), " ", name(object)];
}

export function times({ valid_from: from, valid_to: to }) {
  if (from && to) return `${day(from)} to ${day(to)}`;
  return from ? `since ${day(from)}` : to ? `until ${day(to)}` : "";
}

export function texts(drawers, palace) {
  const open = (id) => () => openText(() => drawerText(id, { palace }));
  const buttons = drawers.slice(0, SHOWN).map((id, at) => el("button", { type: "button", class: "link", onclick: open(id) }, drawers.length === 1 ? "read it" : `text ${at + 1}`));
  return drawers.length > 0 && el("span", { class: "texts" }, buttons, drawers.length > SHOWN && el("span", { class: "quiet" }, `and ${count(drawers.length - SHOWN, "more text")}`));
}
