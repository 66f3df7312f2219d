// Diaries: who keeps one, the latest entries of the one that is chosen, and the form for a new entry.

import { get } from "./api.js";
import { el, replace, viewHeading } from "./dom.js";
import { DiaryForm } from "./diary_form.js";
import { drawerLink } from "./drawer_link.js";
import { failed, nothing, waiting } from "./message.js";
import { moment } from "./moment.js";
import { count } from "./numbers.js";

const FIRST = 20;
const MOST = 1000;

export class DiaryView {
  #app;
  /** @type {string | null} */
  #agent = null;
  #asked = 0;
  #last = FIRST;
  #agents = el("ul", { class: "rows" });
  #entries = el("div", { class: "column" });
  #form;

  constructor(app) {
    this.#app = app;
    this.#form = new DiaryForm(app, { written: (agent) => this.#written(agent) });
    this.element = el(
      "section",
      { class: "diaries two-parts", "aria-label": "Diaries" },
      viewHeading("Diaries"),
      el("div", { class: "column" }, el("section", { class: "card column", "aria-label": "Agents" }, el("h2", {}, "Who keeps a diary"), this.#agents), this.#form.element),
      el("section", { class: "card column", "aria-label": "Entries" }, this.#entries),
    );
  }

  /** @param {URLSearchParams} params */
  show(params) {
    this.#agent = params.get("agent");
    this.#last = FIRST;
    this.#load();
  }

  hide() {
    this.#asked += 1;
  }

  forget() {
    this.#agent = null;
    if (location.hash.startsWith("#/diaries?")) location.hash = "#/diaries";
  }

  back() {
    this.#load();
  }

  #written(agent) {
    if (agent === this.#agent) this.#load();
    else location.hash = diaryHref(agent);
  }

  async #load() {
    const asked = (this.#asked += 1);
    const palace = this.#app.palace;
    if (!this.#entries.firstChild) replace(this.#entries, waiting("Reading the diaries…"));
    try {
      const agents = await get("/v1/agents", { palace });
      if (asked !== this.#asked) return;
      const chosen = this.#agent ?? latest(agents);
      this.#form.suggest(agents.map(({ name }) => name), chosen);
      replace(this.#agents, agents.length === 0 ? el("li", { class: "quiet" }, "Nobody yet.") : agents.map((one) => agentItem(one, chosen)));
      const known = agents.some(({ name }) => name === chosen);
      const diary = known ? await get(["", "v1", "agents", ...chosen.split("/"), "diary"].map(encodeURIComponent).join("/"), { palace, last: this.#last }) : null;
      if (asked === this.#asked) this.#draw(chosen, diary);
    } catch (error) {
      if (asked === this.#asked) replace(this.#entries, failed(error, () => this.#load()));
    }
  }

  #draw(agent, diary) {
    if (!diary) {
      replace(this.#entries, agent ? nothing(`${agent} has no diary yet.`, "Write the first entry.") : nothing("No diaries yet.", "An agent writes what it did, noticed or plans, and so can you. A new name makes a new diary."));
      return;
    }
    const more = diary.entries.length === this.#last && this.#last < MOST;
    const show = () => {
      this.#last = Math.min(this.#last * 5, MOST);
      this.#load();
    };
    replace(
      this.#entries,
      el("h2", {}, `Diary of ${agent}`),
      diary.entries.length === 0 ? el("p", { class: "quiet" }, "It has no entry any more.") : el("ol", { class: "entries" }, diary.entries.map((entry) => entryItem(entry, this.#app.palace))),
      more && el("button", { type: "button", onclick: show }, "Show more"),
    );
  }
}

const diaryHref = (agent) => `#/diaries?${new URLSearchParams({ agent })}`;

// The one who wrote last.
function latest(agents) {
  const written = agents.filter((one) => one.last_written_at).sort((a, b) => b.last_written_at.localeCompare(a.last_written_at));
  return (written[0] ?? agents[0])?.name ?? null;
}

function agentItem({ name, entries, last_written_at: at }, chosen) {
  const link = el("a", { href: diaryHref(name), "aria-current": name === chosen ? "true" : null }, name);
  return el("li", {}, link, el("span", { class: "quiet" }, ` ${count(entries, "entry", "entries")}`, at && ", ", at && moment(at, "ago")));
}

function entryItem({ text, topic, written_at: at, drawer }, palace) {
  return el("li", { class: "entry" }, el("p", { class: "quiet" }, moment(at), topic && ` · ${topic}`, " · ", drawer ? drawerLink(drawer, palace, "Open") : "not found by searches"), el("pre", { class: "text" }, text));
}
