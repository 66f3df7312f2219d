// Search: the question, the place to search in, and the answers.

import { get, post } from "./api.js";
import { currentFacts } from "./current_facts.js";
import { el, options, replace, viewHeading } from "./dom.js";
import { emptyPalace } from "./empty_palace.js";
import { hitCard } from "./hit.js";
import { Judgements } from "./judgements.js";
import { failed, nothing } from "./message.js";
import { count, decimal } from "./numbers.js";

const PAUSE_MS = 150; // after the last letter
const LEAST = 3; // letters

export class SearchView {
  #app;
  #pause = 0;
  #turn = 0; // of the latest search; answers to earlier ones come too late
  /** @type {string | null} */
  #asked = null;
  #answers = el("div", { class: "answers" });
  #facts = el("div", { class: "beside" });
  #summary = el("p", { class: "summary", role: "status" });
  #query = el("input", { type: "search", name: "q", id: "query", autocomplete: "off", maxlength: 20000, placeholder: "What do you want to find?" });
  #wing = el("select", { name: "wing" });
  #room = el("select", { name: "room" });
  #most = options(el("select", { name: "top_k" }), [["5", "5"], ["10", "10"], ["20", "20"], ["50", "50"]], "10");
  #walk = el("input", { type: "checkbox", name: "walk" });
  #plain = el("input", { type: "checkbox", name: "unlearned" });

  constructor(app) {
    this.#app = app;
    const form = el(
      "form",
      { role: "search", class: "ask" },
      el("label", { class: "visually-hidden", for: "query" }, "Question"),
      el("div", { class: "ask-line" }, this.#query, el("button", { class: "primary" }, "Search")),
      el(
        "div",
        { class: "narrow-down" },
        el("label", {}, "Wing ", this.#wing),
        el("label", {}, "Room ", this.#room),
        el("label", {}, "Answers ", this.#most),
        el("label", { class: "check" }, this.#walk, " also walk the graph"),
        el("label", { class: "check" }, this.#plain, " ignore feedback"),
      ),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#go();
    });
    this.#query.addEventListener("input", (event) => this.#typing(event));
    this.#wing.addEventListener("change", () => options(this.#room, [["", "any"]], ""));
    for (const choice of [this.#wing, this.#room, this.#most, this.#walk, this.#plain]) choice.addEventListener("change", () => this.#narrowed());
    this.element = el(
      "section",
      { class: "search", "aria-label": "Search" },
      viewHeading("Search"),
      form,
      this.#summary,
      this.#facts,
      this.#answers,
      el("p", { class: "keys quiet" }, key("/"), " question  ", key("↓"), " ", key("j"), " ", key("k"), " answers  ", key("u"), " useful  ", key("x"), " not useful  ", key("o"), " open"),
    );
    document.addEventListener("keydown", (event) => this.#keys(event));
    // Not when a press of the mouse gives the focus: what moves then would be missed by its release.
    this.#answers.addEventListener("click", (/** @type {any} */ event) => this.#point(event.target.closest(".hit")));
    this.#answers.addEventListener("focusin", (/** @type {any} */ event) => event.target.matches(":focus-visible") && this.#point(event.target.closest(".hit")));
  }

  async show(params) {
    this.#query.value = params.get("q") ?? "";
    this.#most.value = params.get("top_k") ?? "10";
    this.#walk.checked = params.get("walk") === "true";
    this.#plain.checked = params.get("unlearned") === "true";
    const asked = `${this.#app.palace} ${params}`;
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.#turn += 1;
    await this.#places(params.get("wing") ?? "", params.get("room") ?? "");
    if (asked !== this.#asked) return; // another question was asked meanwhile
    if (this.#query.value) await this.#search();
    else this.#welcome();
  }

  hide() {
    clearTimeout(this.#pause);
  }

  forget() {
    this.#asked = null;
  }

  back() {
    if (this.#answers.querySelector(".problem")) this.#search();
    if (this.#wing.options.length < 2) this.#places("", "");
  }

  #go() {
    const params = new URLSearchParams({ q: this.#query.value.trim() });
    if (this.#wing.value) params.set("wing", this.#wing.value);
    if (this.#room.value) params.set("room", this.#room.value);
    if (this.#most.value !== "10") params.set("top_k", this.#most.value);
    if (this.#walk.checked) params.set("walk", "true");
    if (this.#plain.checked) params.set("unlearned", "true");
    const before = location.hash;
    location.hash = `#/search?${params}`;
    if (location.hash === before) this.#search();
  }

  // If there is a question, a change of the place searches again at once.
  async #narrowed() {
    if (this.#query.value.trim()) this.#go();
    else await this.#rooms(this.#room.value);
  }

  async #places(wing, room) {
    const wings = await get("/v1/wings", { palace: this.#app.palace }).catch(() => []);
    options(this.#wing, [["", "everywhere"], ...wings.map(({ name }) => [name, name])], wing);
    await this.#rooms(room);
  }

  async #rooms(chosen = "") {
    this.#room.disabled = this.#wing.value === "";
    const rooms = this.#room.disabled ? [] : await get("/v1/rooms", { palace: this.#app.palace, wing: this.#wing.value }).catch(() => []);
    options(this.#room, [["", "any"], ...rooms.map(({ name }) => [name, name])], chosen);
  }

  async #welcome() {
    replace(this.#summary);
    replace(this.#facts);
    const palaces = await get("/v1/palaces").catch(() => []);
    const here = palaces.find(({ name }) => name === this.#app.palace);
    replace(
      this.#answers,
      here?.drawers === 0
        ? emptyPalace("This palace is empty.")
        : nothing("Ask in your own words.", here ? `${count(here.drawers, "drawer")} in ${count(here.rooms, "room")} of ${count(here.wings, "wing")}. Each answer shows its path and why it was found.` : null),
    );
  }

  // What somebody still types is searched for too, but not kept: it would count among the questions that were asked.
  #typing(event) {
    clearTimeout(this.#pause);
    this.#turn += 1;
    if (!event.isComposing && this.#query.value.trim().length >= LEAST) this.#pause = setTimeout(() => this.#search(false), PAUSE_MS);
  }

  async #search(kept = true) {
    clearTimeout(this.#pause);
    const turn = (this.#turn += 1);
    const question = {
      query: this.#query.value.trim(),
      palace: this.#app.palace,
      top_k: Number(this.#most.value),
      unlearned: this.#plain.checked,
      ...(this.#walk.checked && { lanes: ["fulltext", "semantic", "path"] }),
      ...(this.#wing.value && { wing: this.#wing.value }),
      ...(this.#room.value && { room: this.#room.value }),
    };
    const ask = (more) => post("/v1/search", { ...question, ...more });
    if (kept) replace(this.#summary, "Searching…");
    try {
      const answer = await ask({ kept });
      // Feedback on an answer that was not kept asks the same once more, so that there is a search to judge.
      if (turn === this.#turn) this.#draw(answer, kept ? answer.run : async () => (await ask({})).run);
    } catch (error) {
      if (turn !== this.#turn || !kept) return;
      replace(this.#summary);
      replace(this.#facts);
      replace(this.#answers, failed(error, () => this.#search()));
    }
  }

  #draw(answer, run) {
    const names = new Map(answer.hits.flatMap((hit) => hit.path.map((step) => [step.id, step])));
    for (const hit of answer.hits) names.set(hit.id, { kind: "Drawer", name: `${hit.closet} ${names.get(hit.id).name}` });
    for (const { by_name: way } of answer.hits) if (way) names.set(way.entity, { kind: "Entity", name: way.name });
    const places = new Map(answer.hits.map((hit, at) => [hit.id, at + 1]));
    const judgements = new Judgements(answer.palace, run);
    const cards = answer.hits.map((hit, at) => hitCard(hit, { place: at + 1, places, answer, names, judgements }));
    replace(
      this.#summary,
      `${count(answer.count, "answer")} in ${Math.round(answer.timings_ms.total)} ms, by ${answer.plan.lanes.join(" and ")}`,
      !answer.fits && answer.hits.length > 0 && el("span", { class: "left-out" }, `Nothing fits well (confidence ${decimal(answer.confidence, 2)}).`),
      Object.entries(answer.left_out).map(([lane, why]) => el("span", { class: "left-out" }, `${lane} was left out: ${why}`)),
    );
    replace(this.#facts, answer.facts.length > 0 && currentFacts(answer.facts, answer.palace));
    replace(this.#answers, cards.length === 0 ? nothing("Nothing found.", "Try other words, or search in all wings.") : cards.map(({ card }) => card));
    this.#point(cards[0]?.card);
    this.#name(answer, cards);
  }

  // The current answer shows all that is known of it, beside the list where there is room.
  #point(card) {
    if (!card) return;
    this.#answers.querySelector(".hit[aria-current]")?.removeAttribute("aria-current");
    card.setAttribute("aria-current", "true");
  }

  // The names of the answers come a moment later; answers without them are still answers.
  async #name(answer, cards) {
    if (cards.length === 0) return;
    const drawers = answer.hits.map(({ id }) => id);
    const mentions = await get("/v1/mentions", { palace: answer.palace, drawer: drawers }).catch(() => []);
    const of = new Map(mentions.map(({ drawer, names }) => [drawer, names]));
    cards.forEach(({ named }, at) => named.fill(of.get(drawers[at]) ?? []));
  }

  #keys(event) {
    const cards = [.../** @type {NodeListOf<HTMLElement>} */ (this.#answers.querySelectorAll(".hit"))];
    if (event.target === this.#query && event.key === "ArrowDown" && cards.length > 0) {
      event.preventDefault();
      cards[0].focus();
      return;
    }
    const typing = event.target.closest("input, select, textarea, dialog, [contenteditable]");
    if (!this.element.isConnected || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") {
      event.preventDefault();
      this.#query.select();
      this.#query.focus();
    }
    if (event.key === "j" || event.key === "k") {
      const here = cards.findIndex((card) => card.contains(document.activeElement));
      cards[Math.max(0, here + (event.key === "j" ? 1 : -1))]?.focus();
    }
  }
}

const key = (name) => el("kbd", {}, name);
