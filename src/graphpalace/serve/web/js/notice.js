// One line that tells what was done, with a button that takes it back if that is possible.

import { el, replace } from "./dom.js";

export class Notice {
  element = el("p", { class: "notice", role: "status" });

  /**
   * @param {import("./dom.js").Child} text
   * @param {(() => Promise<import("./dom.js").Child>) | null} [undo] takes it back, and returns what to say then
   */
  say(text, undo = null) {
    replace(this.element, text, undo && " ", undo && el("button", { type: "button", class: "more", onclick: () => this.#undo(undo) }, "Undo"));
  }

  /** @param {Error} error */
  fail(error) {
    replace(this.element, el("span", { class: "wrong" }, error.message));
  }

  /** @param {() => Promise<import("./dom.js").Child>} undo */
  async #undo(undo) {
    replace(this.element, "Taking it back…");
    try {
      this.say(await undo());
    } catch (error) {
      this.fail(error);
    }
  }
}
