// A view that shows a list, or the page of one of its things, as the address says.

import { el } from "./dom.js";

/** @typedef {{ element: HTMLElement, show: (params: URLSearchParams) => void, again: () => void }} Part */

export class ListOrPageView {
  #app;
  /** @type {string | null} */
  #asked = null;
  /** @type {Part} */
  #list;
  /** @type {Part} */
  #page;
  #key;
  #left;
  /** @type {Part | null} */
  #current = null;

  /**
   * `key` is the parameter of the address that names one thing; `left` is how addresses begin that another palace may not have.
   * @param {{ palace: string | null }} app
   * @param {{ list: Part, page: Part, key: string, left: string, name: string, label: string }} parts
   */
  constructor(app, { list, page, key, left, name, label }) {
    this.#app = app;
    this.#list = list;
    this.#page = page;
    this.#key = key;
    this.#left = left;
    this.element = el("section", { class: name, "aria-label": label });
  }

  /** @param {URLSearchParams} params */
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
