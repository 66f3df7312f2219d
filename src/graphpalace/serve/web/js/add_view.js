// Add: a note that is written here, or files that are dropped here.

import { FileForm } from "./add_files.js";
import { NoteForm } from "./add_note.js";
import { el, viewHeading } from "./dom.js";

export class AddView {
  #note;
  #files;

  constructor(app) {
    this.#note = new NoteForm(app);
    this.#files = new FileForm(app);
    this.element = el("section", { class: "add two-parts", "aria-label": "Add" }, viewHeading("Add"), this.#note.element, this.#files.element);
  }

  /** @param {URLSearchParams} params `wing` and `room` are filled in; `files` goes to the files */
  show(params) {
    this.#note.show(params);
    this.#files.show(params);
    if (params.has("files")) this.#files.element.scrollIntoView();
  }

  hide() {}

  forget() {
    this.#note.forget();
    this.#files.forget();
  }

  back() {}
}
