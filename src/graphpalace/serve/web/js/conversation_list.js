// The conversations of a palace on a time line and as a list by day, with what was forgotten and the hooks beside it.

import { get } from "./api.js";
import { choiceHref, conversationHref } from "./conversation_link.js";
import { ConversationLine } from "./conversation_line.js";
import { el, options, replace, viewHeading } from "./dom.js";
import { ForgottenPanel } from "./forgotten_panel.js";
import { HooksPanel } from "./hooks_panel.js";
import { failed, nothing, waiting } from "./message.js";
import { moment, parsed, written } from "./moment.js";
import { count } from "./numbers.js";

const PAGE = 100;
const DAY = 86_400_000;
const PERIODS = [["", "any time"], ["1", "the last day"], ["7", "the last week"], ["30", "the last month"], ["365", "the last year"]];

export class ConversationList {
  #app;
  #asked = 0;
  #choice = {};
  #shown = [];
  #groups = [];
  #line = new ConversationLine();
  #fields = { project: el("select", { name: "project" }), host: el("select", { name: "host" }), wing: el("select", { name: "wing" }), days: options(el("select", { name: "days" }), PERIODS, "") };
  #period = el("p", { class: "quiet" });
  #summary = el("p", { class: "summary", role: "status" });
  #card = el("section", { class: "card", "aria-label": "Timeline" });
  #days = el("div", { class: "days" });
  #rest = el("div", {});
  #forgotten;
  #hooks;

  constructor(app) {
    this.#app = app;
    this.#forgotten = new ForgottenPanel(app);
    this.#hooks = new HooksPanel();
    const label = (text, name) => el("label", {}, `${text} `, this.#fields[name]);
    for (const field of Object.values(this.#fields)) field.addEventListener("change", () => this.#go());
    this.element = el(
      "div",
      { class: "column" },
      viewHeading("Conversations"),
      el("form", { class: "narrow-down", "aria-label": "Which conversations", onsubmit: (event) => event.preventDefault() }, label("Project", "project"), label("Host", "host"), label("Wing", "wing"), label("Time", "days")),
      this.#period,
      this.#summary,
      this.#card,
      el("div", { class: "conversation-parts" }, el("section", { class: "column", "aria-label": "Days" }, this.#days, this.#rest), el("div", { class: "column" }, this.#hooks.element, this.#forgotten.element)),
    );
  }

  show(params) {
    document.title = "Conversations – GraphPalace";
    this.#choice = Object.fromEntries(["project", "host", "wing", "days", "since", "until"].map((name) => [name, params.get(name) ?? ""]));
    const { since, until } = this.#choice;
    const said = [since && `from ${written(parsed(since) ?? 0, "both")}`, until && `to ${written(parsed(until) ?? 0, "both")}`].filter(Boolean).join(" ");
    replace(this.#period, said && [`Only ${said}. `, el("a", { href: choiceHref({ ...this.#choice, since: "", until: "" }) }, "Show all times")]);
    this.#period.hidden = !said;
    this.#fill();
    replace(this.#days);
    this.#card.hidden = true;
    replace(this.#summary);
    replace(this.#rest, waiting("Reading the conversations…"));
    this.#shown = [];
    this.#load("");
    this.#loadGroups();
    this.#forgotten.show();
    this.#hooks.show();
  }

  again() {
    if (this.#rest.querySelector(".problem")) this.#load(this.#next ?? "");
    this.#forgotten.again();
    this.#hooks.again();
  }

  #next = null;

  #go() {
    const chosen = Object.fromEntries(Object.entries(this.#fields).map(([name, field]) => [name, field.value]));
    const times = chosen.days ? { since: "", until: "" } : { since: this.#choice.since, until: this.#choice.until };
    location.hash = choiceHref({ ...chosen, ...times });
  }

  // The choices, of which the chosen one is always there.
  #fill() {
    for (const name of ["project", "host", "wing"]) {
      const there = new Set(this.#groups.map((one) => one[name]).filter(Boolean));
      if (this.#choice[name]) there.add(this.#choice[name]);
      options(this.#fields[name], [["", "all"], ...[...there].sort().map((one) => [one, one])], this.#choice[name]);
    }
    this.#fields.days.value = this.#choice.days;
    if (this.#fields.days.selectedIndex < 0) this.#fields.days.value = "";
  }

  #times() {
    const { days, since, until } = this.#choice;
    return { since: Number(days) > 0 ? new Date(Date.now() - Number(days) * DAY).toISOString() : since, until };
  }

  async #loadGroups() {
    const palace = this.#app.palace;
    const groups = await get("/v1/conversations/groups", { palace }).catch(() => null); // the list tells of a failure
    if (groups === null || palace !== this.#app.palace) return;
    this.#groups = groups.groups;
    this.#fill();
  }

  async #load(after) {
    const asked = (this.#asked += 1);
    this.#next = after;
    const { project, host, wing } = this.#choice;
    try {
      const found = await get("/v1/conversations", { palace: this.#app.palace, order: "said", project, host, wing, ...this.#times(), after, limit: PAGE });
      if (asked === this.#asked) this.#draw(found);
    } catch (error) {
      if (asked === this.#asked) replace(this.#rest, failed(error, () => this.#load(after)));
    }
  }

  #draw({ conversations, next }) {
    this.#shown.push(...conversations);
    const shown = this.#shown.length;
    this.#card.hidden = shown === 0;
    if (shown > 0 && this.#card.firstChild === null) this.#card.append(this.#line.element);
    this.#line.show(this.#shown, { ...this.#choice, ...this.#times() });
    replace(this.#days, byDay(this.#shown));
    replace(this.#summary, shown > 0 && `${next === null ? "" : "the latest "}${count(shown, "conversation")}`);
    const chosen = Object.values(this.#choice).some(Boolean);
    replace(this.#rest, shown === 0 ? (chosen ? nothing("No such conversations.", el("a", { href: "#/conversations" }, "Show all")) : none()) : next !== null && el("button", { type: "button", onclick: () => this.#load(next) }, "Show earlier ones"));
  }
}

function none() {
  const command = (text) => el("code", {}, text);
  return nothing(
    "No conversations yet.",
    ["Let an agent file its conversations while they go on: ", command("graphpalace install claude-code"), " (or codex, cursor, gemini)."],
    ["File existing conversations: ", command("graphpalace watch claude-code --once"), "."],
    ["The guides ", el("i", {}, "Give an agent a memory"), " and ", el("i", {}, "File conversations of agents"), " in the documentation say more."],
  );
}

function byDay(conversations) {
  const days = new Map();
  for (const one of conversations) {
    const at = parsed(one.ended_at ?? one.filed_at);
    const day = at === null ? "At an unknown time" : written(at, "day");
    days.set(day, [...(days.get(day) ?? []), one]);
  }
  return [...days].map(([day, own]) => el("section", { "aria-label": day }, el("h2", {}, day), el("ul", { class: "conversation-list" }, own.map(item))));
}

function item(conversation) {
  const { title, host, project, wing, drawers, ended_at: ended, filed_at: filed } = conversation;
  return el(
    "li",
    {},
    el("span", { class: "figure quiet" }, moment(ended ?? filed, "time")),
    el("a", { href: conversationHref(conversation) }, title),
    el("span", { class: "quiet" }, `${project ?? wing} · ${host} · ${count(drawers, "drawer")}`),
  );
}
