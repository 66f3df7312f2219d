// A drawer that is open: its text, what stands beside it, and what can be done with it. It is shown in a dialog or alone.

import { actionButton } from "./action_button.js";
import { el, replace } from "./dom.js";
import { BesidePart } from "./drawer_beside.js";
import { editForm } from "./drawer_edit.js";
import { forgetForm } from "./drawer_forget.js";
import { historyPart } from "./drawer_history.js";
import { verdictButtons } from "./drawer_judgement.js";
import { drawerHref, drawerLink } from "./drawer_link.js";
import { replaceForm } from "./drawer_replace.js";
import { drawerText } from "./drawer_text.js";
import { graphLink } from "./graph_link.js";
import { markdown as rendered } from "./markdown.js";
import { failed } from "./message.js";
import { moment } from "./moment.js";
import { Notice } from "./notice.js";
import { restore } from "./superseding.js";

/** @typedef {{ title: string, place: string, text: string, note?: string | null, code?: boolean, markdown?: boolean }} Reading */
/** @typedef {Reading & { drawer: any, palace: string | null, judgements?: import("./judgements.js").Judgements, judged?: () => void }} OpenDrawer */

/**
 * A text with its title and place, and a button that shows its source if it is formatted.
 * @param {Reading} what
 * @returns {import("./dom.js").Child[]}
 */
export function reading({ title, place, text, note, code, markdown }) {
  const written = el("pre", { class: code ? "text code" : "text", tabindex: "0" }, text);
  const read = markdown ? el("div", { class: "text markdown", tabindex: "0" }, rendered(text)) : written;
  const turn = el("button", { type: "button", class: "more", "aria-pressed": "false" }, "Show source");
  turn.addEventListener("click", () => {
    const plain = turn.getAttribute("aria-pressed") === "false";
    turn.setAttribute("aria-pressed", String(plain));
    (plain ? read : written).replaceWith(plain ? written : read);
  });
  return [el("h2", {}, title), place && el("p", { class: "quiet" }, place), markdown && turn, read, note && el("p", { class: "quiet" }, note)];
}

export class DrawerPanel {
  #found;
  #go;
  #task = el("div", { class: "task" });
  #tools = el("div", { class: "actions drawer-tools" });
  #outdated = el("div", {});
  #notice = new Notice();
  element = el("div", { class: "reading" });

  /**
   * @param {OpenDrawer} found
   * @param {{ go?: (id: string) => void }} [how] go: opens another drawer of the document in another way than here
   */
  constructor(found, { go } = {}) {
    this.#found = found;
    this.#go = go ?? ((id) => this.#open(id));
    this.#draw();
  }

  #draw() {
    const { drawer, palace, judgements, judged } = this.#found;
    const beside = new BesidePart({ drawer, palace, notice: this.#notice });
    replace(this.#task);
    replace(this.#outdated);
    this.#showTools(null);
    replace(
      this.element,
      this.#outdated,
      reading(this.#found),
      drawer.occurred_at && el("p", { class: "quiet" }, "Said ", moment(drawer.occurred_at), drawer.author && ` by ${drawer.author}`),
      this.#tools,
      this.#notice.element,
      this.#task,
      judgements && verdictButtons(drawer.id, judgements, judged),
      beside.element,
      historyPart(drawer.id, palace),
    );
    this.#loadBeside(beside, drawer.id);
  }

  async #loadBeside(part, id) {
    const found = await part.load();
    if (id !== this.#found.drawer.id || !found) return;
    this.#showTools(found);
    this.#showOutdated(found);
  }

  #showTools(beside) {
    const { drawer, palace } = this.#found;
    const step = (label, id) => el("button", { type: "button", disabled: !id, onclick: () => this.#go(id) }, label);
    replace(
      this.#tools,
      beside && beside.of > 1 && [step("Previous", beside.previous), el("span", { class: "quiet figure" }, `${beside.number} of ${beside.of}`), step("Next", beside.next)],
      el("button", { type: "button", onclick: () => this.#edit() }, "Edit"),
      el("button", { type: "button", onclick: () => this.#replaceText() }, "Replace"),
      el("button", { type: "button", onclick: () => this.#forget(beside?.of ?? 1) }, "Forget"),
      el("a", { href: drawerHref(drawer.id, palace), class: "own-link" }, "Link to this text"),
      graphLink(drawer.id),
    );
  }

  #showOutdated({ replaced_by: by, replaced_since: since }) {
    const { drawer, palace } = this.#found;
    if (!by) return;
    const undo = actionButton("It still holds", async () => {
      try {
        await restore(drawer.id, palace);
        replace(this.#outdated);
        this.#notice.say("It counts again.");
      } catch (error) {
        this.#notice.fail(error);
      }
    });
    replace(this.#outdated, el("div", { class: "outdated" }, el("p", {}, el("b", {}, "Outdated"), " since ", moment(since), ", replaced by ", drawerLink(by, palace, "another text"), ". "), undo));
  }

  /** @param {HTMLElement} form */
  #begin(form) {
    replace(this.#task, form);
    /** @type {HTMLElement | null} */ (form.querySelector("textarea, input, button"))?.focus();
  }

  #end() {
    replace(this.#task);
  }

  #edit() {
    const saved = (drawer, text, undo) => {
      this.#show(drawer);
      this.#notice.say(text, undo && (async () => (this.#show(await undo()), "It is as it was before.")));
    };
    this.#begin(editForm(this.#found.drawer, { palace: this.#found.palace, saved, end: () => this.#end() }));
  }

  #replaceText() {
    const replaced = (text, undo) => {
      this.#draw();
      this.#notice.say(text, async () => {
        const said = await undo();
        this.#draw();
        return said;
      });
    };
    this.#begin(replaceForm(this.#found.drawer, { palace: this.#found.palace, replaced, end: () => this.#end() }));
  }

  #forget(of) {
    const forgotten = (receipt) => replace(this.element, el("h2", {}, "Forgotten"), receipt);
    this.#begin(forgetForm(this.#found.drawer, { of, palace: this.#found.palace, forgotten, end: () => this.#end() }));
  }

  // The drawer as it is now; what a search knew of it stays.
  #show(drawer) {
    this.#found = { ...this.#found, ...shownText(drawer), drawer };
    this.#draw();
  }

  async #open(id) {
    this.#notice.say("Opening…");
    try {
      this.#found = await drawerText(id, { palace: this.#found.palace });
      this.#notice.say("");
      this.#draw();
      /** @type {HTMLElement | null} */ (this.element.querySelector(".text"))?.focus();
    } catch (error) {
      replace(this.element, failed(error, () => this.#open(id)));
    }
  }
}

const shownText = ({ closet, text }) => ({ title: closet, text, note: null });
