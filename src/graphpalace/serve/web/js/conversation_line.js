// Conversations on a line of time: a bar from the first to the last turn of each, in lanes by project.

import { choiceHref, conversationHref } from "./conversation_link.js";
import { el, replace } from "./dom.js";
import { parsed, written } from "./moment.js";
import { count } from "./numbers.js";
import { TimeScale } from "./time_scale.js";

const LEAST_WIDTH = 8; // pixels of a bar
const GAP = 2;
const ROW = 12;
const MOST_ROWS = 6; // of one lane, before its bars lie over each other
const MOST_LANES = 10;
const TICK_WIDTH = 85;

export class ConversationLine {
  /** @type {{ choice: any, spans: any[] } | null} */
  #shown = null;
  #width = 0;
  element = el("div", { class: "lanes", role: "group" });

  constructor() {
    new ResizeObserver(() => {
      if (this.#shown && Math.abs(this.element.clientWidth - this.#width) > 1) this.#draw(this.#shown);
    }).observe(this.element);
    this.element.addEventListener("keydown", (event) => this.#keys(event));
  }

  // `choice` is what is chosen, of which `since` and `until` are the ends of the scale.
  show(conversations, choice) {
    this.#shown = { choice, spans: conversations.map(span).filter((one) => one !== null) };
    this.element.setAttribute("aria-label", `Timeline of ${count(conversations.length, "conversation")}; arrow keys move`);
    this.#draw(this.#shown);
  }

  /** @param {{ choice: any, spans: any[] }} shown */
  #draw({ spans, choice }) {
    if (spans.length === 0) {
      replace(this.element);
      return;
    }
    this.#width = this.element.clientWidth;
    const wide = matchMedia("(min-width: 761px)").matches;
    const width = Math.max(200, this.#width - (wide ? 160 : 0));
    const scale = scaleOf(spans, choice);
    const ticks = scale.ticks(Math.max(2, Math.floor(width / TICK_WIDTH)));
    replace(
      this.element,
      el("div", { class: "lane-axis" }, ticks.map((tick) => tickLink(tick, choice))),
      lanes(spans).map(({ name, spans: own }) => lane(name, own, scale, width, ticks)),
    );
    const latest = this.element.querySelector(".said-in"); // the first of the first lane is the latest
    latest?.setAttribute("tabindex", "0");
  }

  #keys(event) {
    const bars = [.../** @type {NodeListOf<HTMLElement>} */ (this.element.querySelectorAll(".said-in"))];
    const at = bars.indexOf(event.target);
    if (at < 0 || !["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    const own = bars[at].closest(".lane");
    const others = event.key === "ArrowLeft" || event.key === "ArrowRight";
    let next;
    if (others) {
      const inLane = bars.filter((bar) => bar.closest(".lane") === own).sort((a, b) => Number(a.dataset.at) - Number(b.dataset.at));
      next = inLane[inLane.indexOf(bars[at]) + (event.key === "ArrowLeft" ? -1 : 1)];
    } else {
      const other = event.key === "ArrowUp" ? own?.previousElementSibling : own?.nextElementSibling;
      const away = (/** @type {HTMLElement} */ bar) => Math.abs(Number(bar.dataset.at) - Number(bars[at].dataset.at));
      next = bars.filter((bar) => bar.closest(".lane") === other).sort((a, b) => away(a) - away(b))[0];
    }
    if (!next) return;
    bars[at].setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  }
}

function span(conversation) {
  const ended = parsed(conversation.ended_at ?? conversation.filed_at);
  return ended === null ? null : { conversation, began: parsed(conversation.began_at) ?? ended, ended };
}

function scaleOf(spans, { since, until }) {
  const [first, last] = [Math.min(...spans.map((one) => one.began)), Math.max(...spans.map((one) => one.ended))];
  const [from, to] = [parsed(since) ?? first, parsed(until) ?? last];
  const room = (to - from) / 50;
  return new TimeScale(since ? from : from - room, until ? to : to + room);
}

// A tick is a link to the conversations of its period.
function tickLink({ at, label, since, until }, choice) {
  const near = at > 0.94;
  const href = choiceHref({ ...choice, since: since.toISOString(), until: until.toISOString() });
  return el("a", { class: near ? "tick near" : "tick", style: `left: ${100 * at}%`, href, title: `Only from ${written(since, "both")} to ${written(until, "both")}` }, label);
}

// The lanes, that of the latest conversation first; what is left over shares one.
function lanes(spans) {
  const found = new Map();
  for (const one of spans) {
    const name = one.conversation.project ?? one.conversation.wing;
    found.set(name, [...(found.get(name) ?? []), one]);
  }
  const all = [...found].map(([name, own]) => ({ name, spans: own }));
  if (all.length <= MOST_LANES) return all;
  const rest = all.slice(MOST_LANES - 1);
  return [...all.slice(0, MOST_LANES - 1), { name: `${rest.length} others`, spans: rest.flatMap((one) => one.spans) }];
}

function lane(name, spans, scale, width, ticks) {
  const placed = rows(spans.map((one) => ({ ...one, left: Math.max(0, scale.place(one.began)) * width, right: Math.min(1, scale.place(one.ended)) * width })), width);
  const height = ROW * Math.max(...placed.map(({ row }) => row + 1)) + GAP;
  return el(
    "div",
    { class: "lane" },
    el("p", { class: "lane-name" }, name, " ", el("span", { class: "quiet" }, String(spans.length))),
    el(
      "div",
      { class: "lane-track", style: `height: ${height}px` },
      ticks.map(({ at }) => el("span", { class: "tick-line", style: `left: ${100 * at}%` })),
      placed.map(({ conversation, began, ended, left, wide, row }) => {
        const said = `${conversation.title} – ${written(began, "both")}${ended > began ? ` to ${written(ended, "both")}` : ""}, ${conversation.host}, ${count(conversation.drawers, "drawer")}`;
        return el("a", { class: "said-in", tabindex: "-1", href: conversationHref(conversation), title: said, "aria-label": said, "data-at": began, style: `left: ${(100 * left) / width}%; width: ${(100 * wide) / width}%; top: ${row * ROW + GAP}px` });
      }),
    ),
  );
}

// Each in the first row that is free where it stands; if none is, in the one that is free soonest.
function rows(spans, width) {
  const free = Array(MOST_ROWS).fill(-Infinity);
  const placed = [...spans].sort((a, b) => a.left - b.left).map((one) => {
    const wide = Math.max(LEAST_WIDTH, one.right - one.left);
    const left = Math.min(one.left, width - wide);
    const first = free.findIndex((end) => end <= left);
    const row = first >= 0 ? first : free.indexOf(Math.min(...free));
    free[row] = Math.max(free[row], left + wide + GAP);
    return { ...one, left, wide, row };
  });
  return placed.sort((a, b) => b.ended - a.ended);
}
