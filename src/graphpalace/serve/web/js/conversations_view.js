// Conversations: the time line of a palace, or one conversation, as the address says.

import { ConversationList } from "./conversation_list.js";
import { ConversationPage } from "./conversation_page.js";
import { el } from "./dom.js";

export class ConversationsView {
  #app;
  #asked = null;
  #list;
  #page;
  #current = null;

  constructor(app) {
    this.#app = app;
    this.#list = new ConversationList(app);
    this.#page = new ConversationPage(app);
    this.element = el("section", { class: "conversations-view", "aria-label": "Conversations" });
  }

  show(params) {
    const asked = `${this.#app.palace} ${params}`;
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.#current = params.get("conversation") === null ? this.#list : this.#page;
    this.element.replaceChildren(this.#current.element);
    this.#current.show(params);
    scrollTo(0, 0);
  }

  // What was read while another view was shown may be old.
  hide() {
    this.#asked = null;
  }

  forget() {
    this.#asked = null;
    if (location.hash.startsWith("#/conversations?")) location.hash = "#/conversations"; // the other palace may not have it
  }

  back() {
    this.#current?.again();
  }
}
