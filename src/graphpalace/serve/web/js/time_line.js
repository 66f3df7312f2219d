// Facts on a line of time: each with a bar from when it begins to hold until it ends.

import { el } from "./dom.js";
import { sentence, texts, times } from "./fact_text.js";
import { day, percent } from "./numbers.js";

const WORDS = { ended: "ended", future: "not yet", holds: "holds" };
const DAY_MS = 86_400_000;
const TICKS = 5;
const STEPS = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12000]; // months

/**
 * @param {any[]} facts
 * @param {{ about: string, palace: string | null, actions?: (fact: any) => import("./dom.js").Child }} how actions: what can be done with a fact
 */
export function timeLine(facts, { about, palace, actions }) {
  const now = Date.now();
  const scale = new Scale(facts.flatMap((fact) => [moment(fact.valid_from), moment(fact.valid_to)]).filter((at) => at !== null), now);
  return el(
    "div",
    { class: "time-line" },
    el("div", { class: "axis", "aria-hidden": "true" }, el("div", { class: "ticks" }, scale.ticks(now).map(({ at, label }) => el("span", { style: `left: ${at}%` }, label)), el("span", { class: "now", style: `left: ${scale.place(now)}%` }, "now"))),
    el("ul", {}, facts.map((fact) => row(fact, { about, palace, scale, now, actions }))),
  );
}

function row(fact, { about, palace, scale, now, actions }) {
  const [from, to] = [moment(fact.valid_from), moment(fact.valid_to)];
  const state = fact.invalidated_at ? "unlearned" : to !== null && to <= now ? "ended" : from !== null && from > now ? "future" : "holds";
  const [left, right] = [from === null ? 0 : scale.place(from), to === null ? 100 : scale.place(to)];
  const bar = el("span", { class: `span ${from === null ? "open-left" : ""} ${to === null ? "open-right" : ""}`, style: `left: ${left}%; width: max(4px, ${right - left}%)` });
  const notes = [
    times(fact),
    state === "unlearned" ? `taken back on ${day(fact.invalidated_at)}` : WORDS[state],
    fact.confidence < 1 && `${percent(fact.confidence)} certain, by ${fact.source}`,
  ].filter(Boolean);
  return el(
    "li",
    { class: `fact ${state}` },
    el("p", {}, sentence(fact, about)),
    el("p", { class: "quiet" }, notes.join(" · "), " ", texts(fact.drawers, palace)),
    el("div", { class: "track", "aria-hidden": "true" }, el("span", { class: "today", style: `left: ${scale.place(now)}%` }), bar),
    actions?.(fact),
  );
}

function moment(text) {
  const at = text ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? null : at;
}

// From the first time to now or the last time, with room at both ends for what has no beginning or no end.
class Scale {
  constructor(moments, now) {
    const [first, last] = [Math.min(...moments, now), Math.max(...moments, now)];
    const room = Math.max(last - first, 30 * DAY_MS) / 12;
    this.from = first - room;
    this.to = last + room;
  }

  place(at) {
    return Math.round((10_000 * (at - this.from)) / (this.to - this.from)) / 100;
  }

  // Those that do not stand over each other or over the end.
  ticks(now) {
    const apart = ({ at }) => at > 3 && at < 95 && Math.abs(at - this.place(now)) > 8;
    const months = (this.to - this.from) / (30.44 * DAY_MS);
    const step = STEPS.find((one) => months / one <= TICKS) ?? STEPS[STEPS.length - 1];
    const start = new Date(this.from);
    const ticks = [];
    for (let month = Math.ceil((start.getUTCFullYear() * 12 + start.getUTCMonth() + 1) / step) * step; ; month += step) {
      const at = new Date(0).setUTCFullYear(Math.floor(month / 12), month % 12, 1);
      if (at > this.to) return ticks.filter(apart);
      const label = step % 12 === 0 ? String(Math.floor(month / 12)) : new Date(at).toLocaleDateString("en", { month: "short", year: "numeric", timeZone: "UTC" });
      ticks.push({ at: this.place(at), label });
    }
  }
}
