// What holds now on the names of a question, beside its answers; and what an outdated answer says of itself.

import { el } from "./dom.js";
import { sentence, texts } from "./fact_text.js";
import { day, percent, signed } from "./numbers.js";

export function currentFacts(facts, palace) {
  return el(
    "section",
    { class: "card current", "aria-label": "Facts that are true now" },
    el("h2", {}, "What is true now"),
    el("ul", {}, facts.map((fact) => el("li", {}, el("p", {}, sentence(fact)), el("p", { class: "quiet" }, fact.since && `since ${day(fact.since)} `, texts(fact.drawers, palace))))),
  );
}

// `places` has the number of each answer by its drawer.
export function newerOn({ drawer, probability, change }, places, palace) {
  const where = places.has(drawer) ? `answer ${places.get(drawer)}` : texts([drawer], palace);
  const sure = el("span", { class: "quiet" }, `, ${percent(probability)} probable, ${signed(change)} to its score`);
  return el("div", { class: "newer" }, el("p", {}, el("strong", {}, "Probably outdated by"), ": ", where, sure));
}

export function outdated({ since, replaced_by: now, change, drawer }, palace) {
  return el(
    "div",
    { class: "outdated" },
    el("p", {}, el("b", {}, "Outdated"), ` since ${day(since)}`, el("span", { class: "quiet" }, `, ${signed(change)} to its score`)),
    drawer && el("p", {}, "Replaced by ", texts([drawer], palace)),
    now ? el("p", {}, "Now: ", sentence(now), now.since && ` since ${day(now.since)}`, " ", texts(now.drawers, palace)) : !drawer && el("p", { class: "quiet" }, "No fact is known that replaces it."),
  );
}
