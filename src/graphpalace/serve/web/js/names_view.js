// Names: the list of all names of a palace, or the page of one name, as the address says.

import { el } from "./dom.js";
import { NameList } from "./name_list.js";
import { NamePage } from "./name_page.js";

export class NamesView {
  #app;
  #asked = null;
  #list;
  #page;
  #current = null;

  constructor(app) {
    this.#app = app;
    this.#list = new NameList(app);
    this.#page = new NamePage(app);
    this.element = el("section", { class: "names-view", "aria-label": "Names" });
    document.addEventListener("keydown", (event) => this.#keys(event));
  }

  show(params) {
    const asked = `${this.#app.palace} ${params}`;
    if (asked === this.#asked) return;
    this.#asked = asked;
    const name = params.get("name");
    this.#current = name === null ? this.#list : this.#page;
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
    if (location.hash.startsWith("#/names?name=")) location.hash = "#/names"; // the other palace may not have that name
  }

  back() {
    this.#current?.again();
  }

  #keys(event) {
    const typing = event.target.closest("input, select, textarea, dialog, [contenteditable]");
    if (event.key !== "/" || !this.element.isConnected || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.element.querySelector("input[type=search]")?.focus();
  }
}
