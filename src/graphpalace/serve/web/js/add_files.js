// Files of the reader's own: dropped or chosen, then stored one after the other, with a report by file.

import { filesOf } from "./add_dropped.js";
import { PlaceFields } from "./add_places.js";
import { pathOf, sent } from "./add_sending.js";
import { el, replace } from "./dom.js";
import { anyEmpty, showProblems } from "./form_field.js";
import { count } from "./numbers.js";

const STATES = { waiting: "waiting", reading: "being stored…", stored: "stored", unchanged: "unchanged", refused: "refused" };

export class FileForm {
  #app;
  /** @type {File[]} */
  #files = [];
  /** @type {FileRow[]} */
  #rows = [];
  #stopped = false;
  #wing = new PlaceFields();
  #choose = el("input", { type: "file", multiple: true, name: "files", class: "visually-hidden", id: "chosen-files" });
  #folder = el("input", { type: "file", webkitdirectory: true, name: "folder", class: "visually-hidden", id: "chosen-folder" });
  #drop = el("div", { class: "drop" }, el("p", {}, "Drop files or folders here, or"), el("div", { class: "actions" }, this.#choose, el("label", { class: "button", for: "chosen-files" }, "Choose files"), this.#folder, el("label", { class: "button", for: "chosen-folder" }, "Choose a folder")));
  #list = el("ul", { class: "rows file-list" });
  #store = el("button", { class: "primary", disabled: true }, "Store");
  #stop = el("button", { type: "button", hidden: true }, "Stop");
  #bar = el("progress", { max: 1, value: 0, "aria-label": "Progress of the files", hidden: true });
  #said = el("p", { role: "status" });
  #wrong = el("p", { class: "wrong", role: "alert" });

  constructor(app) {
    this.#app = app;
    const form = el("form", { class: "column", novalidate: true }, this.#wing.wing.element, this.#drop, this.#list, el("div", { class: "actions" }, this.#store, this.#stop, this.#bar), this.#said, this.#wrong);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    this.#stop.addEventListener("click", () => {
      this.#stopped = true;
      this.#stop.disabled = true;
    });
    for (const input of [this.#choose, this.#folder])
      input.addEventListener("change", () => {
        this.#add([...(input.files ?? [])]);
        input.value = ""; // so that the same file can be chosen again
      });
    this.#watchDrops(form);
    const takes = el("p", { class: "quiet" }, "Notes, Markdown, source code, tables, PDF, Word, web pages, mails, notebooks and exported conversations are read. A file of the same name takes the place of the earlier one. ", el("code", {}, "graphpalace ingest FOLDER --wing NAME"), " does the same, and later stores only what has changed.");
    this.element = el("section", { class: "card column", "aria-label": "Files", id: "files" }, el("h2", {}, "Files"), form, takes);
  }

  /** @param {URLSearchParams} params */
  show(params) {
    if (params.get("wing")) this.#wing.wing.input.value = params.get("wing") ?? "";
    this.#wing.load(this.#app.palace);
  }

  forget() {
    this.#stopped = true;
    this.#clear();
  }

  #clear() {
    [this.#files, this.#rows] = [[], []];
    replace(this.#list);
    replace(this.#said);
    replace(this.#wrong);
    this.#bar.hidden = true;
    this.#label();
  }

  #watchDrops(form) {
    form.addEventListener("dragover", (event) => {
      event.preventDefault();
      this.#drop.dataset.over = "";
    });
    form.addEventListener("dragleave", () => delete this.#drop.dataset.over);
    form.addEventListener("drop", async (event) => {
      event.preventDefault();
      delete this.#drop.dataset.over;
      this.#add(await filesOf(event.dataTransfer));
    });
  }

  /** @param {File[]} files */
  #add(files) {
    if (this.#busy) return;
    if (this.#rows.some((row) => row.state !== "waiting")) this.#clear(); // the report of those before
    const rows = files.map((file) => new FileRow(file, (gone) => this.#remove(gone)));
    this.#files.push(...files);
    this.#rows.push(...rows);
    this.#list.append(...rows.map(({ element }) => element));
    this.#label();
    if (files.length > 0) this.#store.focus();
  }

  #remove(row) {
    const at = this.#rows.indexOf(row);
    if (at < 0 || this.#busy) return;
    this.#rows.splice(at, 1);
    this.#files.splice(at, 1);
    row.element.remove();
    this.#label();
  }

  #label() {
    const waiting = this.#rows.filter((row) => row.state === "waiting").length;
    this.#store.disabled = waiting === 0;
    replace(this.#store, waiting === 0 ? "Store" : `Store ${count(waiting, "file")}`);
  }

  get #busy() {
    return !this.#stop.hidden;
  }

  async #send() {
    replace(this.#wrong);
    if (anyEmpty({ wing: "Name a wing, for example notes." }, { wing: this.#wing.wing })) return;
    const [files, rows, wing] = [this.#files, this.#rows, this.#wing.wing.value];
    this.#stopped = false;
    this.#begin(files.length);
    try {
      let done = 0;
      for await (const { at, ...news } of sent(files, { palace: this.#app.palace, wing, stopped: () => this.#stopped })) {
        rows[at].show(news);
        done += news.state === "reading" ? 0 : 1;
        this.#bar.value = done / files.length;
      }
      this.#tell(rows, wing);
    } catch (error) {
      for (const row of rows) if (row.state === "reading") row.show({ state: "refused", reason: error.message });
      replace(this.#said);
      replace(this.#wrong, showProblems({ wing: this.#wing.wing }, error));
    }
    this.#stop.hidden = true;
    this.#label();
    this.#wing.load(this.#app.palace);
  }

  #begin(number) {
    this.#store.disabled = true;
    this.#stop.disabled = false;
    this.#stop.hidden = false;
    this.#bar.hidden = false;
    this.#bar.value = 0;
    replace(this.#said, `Storing ${count(number, "file")}…`);
  }

  #tell(rows, wing) {
    const number = (state) => rows.filter((row) => row.state === state).length;
    const parts = [`${number("stored")} stored`, `${number("unchanged")} unchanged`, `${number("refused")} refused`, number("waiting") > 0 && `${number("waiting")} not tried`].filter(Boolean);
    replace(this.#said, `${parts.join(", ")}. `, el("a", { href: `#/search?${new URLSearchParams({ wing })}` }, "Search in this wing"));
  }
}

class FileRow {
  state = "waiting";

  /**
   * @param {File} file
   * @param {(row: FileRow) => void} remove
   */
  constructor(file, remove) {
    const path = pathOf(file);
    this.word = el("span", { class: "file-state" }, STATES.waiting);
    this.leave = el("button", { type: "button", class: "link", "aria-label": `Leave out ${path}`, onclick: () => remove(this) }, "leave out");
    this.element = el("li", { "data-state": "waiting" }, el("span", { class: "file-name" }, path), this.word, this.leave);
  }

  /** @param {{ state: import("./add_sending.js").FileState, reason?: string, drawers?: number }} news */
  show({ state, reason, drawers }) {
    this.state = state;
    this.element.dataset.state = state;
    this.leave.remove();
    replace(this.word, reason ? `refused: ${reason}` : state === "stored" && drawers ? `stored, ${count(drawers, "passage")}` : STATES[state]);
  }
}
