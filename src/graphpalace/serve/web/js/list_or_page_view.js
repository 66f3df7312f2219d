// A view that shows a list, or the page of one of its things, as the address says.

import { el } from "./dom.js";

export class ListOrPageView {
  #app;
  #asked = null;
  #list;
  #page;
  #key;
  #left;
  #current = null;

  // key: the parameter of the address that names one thing; left: how addresses begin that another palace may not have.
  constructor(app, { list, page, key, left, name, label }) {
    this.#app = app;
    this.#list = list;
    this.#page = page;
    this.#key = key;
    this.#left = left;
    this.element = el("section", { class: name, "aria-label": label });
  }

  show(params) {
    const asked = `${this.#app.palace} ${params}`;
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.#current = params.get(this.#key) === null ? this.#list : this.#page;
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
    if (location.hash.startsWith(this.#left)) location.hash = this.#left.split("?")[0];
  }

  back() {
    this.#current?.again();
  }
}
