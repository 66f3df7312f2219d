// One conversation: where it is filed, and its turns in order, word for word.

import { get } from "./api.js";
import { choiceHref, conversationHref } from "./conversation_link.js";
import { el, replace } from "./dom.js";
import { openText } from "./drawer_dialog.js";
import { drawerText } from "./drawer_text.js";
import { failed, nothing, waiting } from "./message.js";
import { moment } from "./moment.js";
import { count } from "./numbers.js";
import { turnText } from "./turn_text.js";

const PAGE = 100; // drawers

export class ConversationPage {
  #app;
  #asked = 0;
  #params = new URLSearchParams();
  #turns = el("ol", { class: "turns" });
  #rest = el("div", {});
  #last = null;
  element = el("div", { class: "column conversation" });

  constructor(app) {
    this.#app = app;
  }

  show(params) {
    this.#params = params;
    document.title = "Conversation – GraphPalace";
    replace(this.element, back(), waiting("Reading the conversation…"));
    this.#load(0);
  }

  again() {
    if (this.element.querySelector(".problem")) this.show(this.#params);
  }

  // The host and the name, which may contain slashes.
  #conversation() {
    return (this.#params.get("conversation") ?? "").split("/");
  }

  async #load(offset) {
    const asked = (this.#asked += 1);
    const [host, ...rest] = this.#conversation();
    const path = ["", "v1", "conversations", host, ...rest].map(encodeURIComponent).join("/");
    const palace = this.#app.palace;
    try {
      if (!host || !rest.join("/")) throw Object.assign(new Error(), { code: "NOT_FOUND" });
      const found = await get(path, { palace, wing: this.#params.get("wing") ?? "", offset, limit: PAGE });
      if (asked !== this.#asked) return;
      if (offset === 0) this.#head(found);
      this.#add(found, palace);
    } catch (error) {
      if (asked !== this.#asked) return;
      const missing = error.code === "NOT_FOUND" && offset === 0;
      const said = missing ? nothing("This palace has no such conversation.", "It may have been forgotten, or the address is for another palace.") : error.detail?.wings ? this.#wings(error) : failed(error, () => this.#load(offset));
      if (offset === 0) replace(this.element, back(), said);
      else replace(this.#rest, said);
    }
  }

  // Several wings have a conversation of this name: a link to each.
  #wings({ message, detail }) {
    const [host, ...rest] = this.#conversation();
    const links = detail.wings.map((wing) => el("li", {}, el("a", { href: conversationHref({ host, conversation: rest.join("/"), wing }) }, wing)));
    return el("div", { class: "problem", role: "alert" }, el("p", {}, message), el("ul", {}, ...links));
  }

  #head({ conversation, drawers, masked }) {
    const { title, host, project, wing, began_at: began, ended_at: ended, filed_at: filed, speakers, source_uri: uri } = conversation;
    document.title = `${title} – GraphPalace`;
    const secrets = Object.entries(masked);
    const number = secrets.reduce((sum, [, one]) => sum + one, 0);
    const fact = (name, ...said) => el("div", {}, el("dt", {}, name), el("dd", {}, ...said));
    this.#last = null;
    replace(this.#turns);
    replace(
      this.element,
      back(),
      el("header", { class: "name-head" }, el("h1", { tabindex: "-1" }, title), el("span", { class: "kind" }, host), el("a", { href: `#/search?${new URLSearchParams({ wing })}` }, "Search in this wing")),
      el(
        "dl",
        { class: "facts card" },
        fact("Said", moment(began), ended !== began && [" to ", moment(ended)], speakers.length > 0 && `, by ${speakers.join(", ")}`),
        fact("Filed in", `${wing} › ${drawers[0]?.room ?? "conversations"} › ${title}, ${count(conversation.drawers, "drawer")}, last `, moment(filed)),
        project && fact("Project", el("a", { href: choiceHref({ project }) }, project)),
        fact("Secrets", number === 0 ? "none masked" : `${number} masked: ${secrets.map(([kind, one]) => (one === 1 ? kind : `${one} × ${kind}`)).join(", ")}`),
        fact("Source", uri),
      ),
      this.#turns,
      this.#rest,
    );
    this.element.querySelector("h1")?.focus({ preventScroll: true });
  }

  // The drawers of a turn stand together, also where a part of the conversation ends.
  #add({ drawers, turns, next }, palace) {
    drawers.forEach((drawer, at) => {
      if (turns[at] !== this.#last) this.#turns.append(turn(drawer, turns[at]));
      this.#last = turns[at];
      this.#turns.lastElementChild?.append(
        el("div", { class: "said-text" }, turnText(drawer.text, drawer.author), el("button", { type: "button", class: "link", "aria-label": `Open the drawer of turn ${turns[at]}`, onclick: () => openText(() => drawerText(drawer.id, { palace })) }, "Open")),
      );
    });
    replace(this.#rest, next !== null && el("button", { type: "button", onclick: () => this.#load(next) }, "Show what follows"));
  }
}

const back = () => el("p", {}, el("a", { href: "#/conversations" }, "All conversations"));

function turn({ author, occurred_at: at, created_at: stored }, number) {
  const who = author ?? "unknown";
  return el("li", { class: who === "user" ? "turn own" : "turn", "aria-label": `Turn ${number}, ${who}` }, el("header", {}, el("b", {}, who), el("span", { class: "quiet" }, moment(at ?? stored))));
}
