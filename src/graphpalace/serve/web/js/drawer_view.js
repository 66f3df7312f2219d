// A drawer alone, as a link to it shows it.

import { el, replace, viewHeading } from "./dom.js";
import { drawerHref } from "./drawer_link.js";
import { DrawerPanel } from "./drawer_panel.js";
import { drawerText } from "./drawer_text.js";
import { failed, nothing, waiting } from "./message.js";

export class DrawerView {
  #app;
  #asked = "";
  #params = new URLSearchParams();
  #content = el("div", { class: "card" });

  constructor(app) {
    this.#app = app;
    this.element = el("section", { class: "drawer-view", "aria-label": "Drawer" }, viewHeading("Drawer"), this.#content);
  }

  /** @param {URLSearchParams} params */
  async show(params) {
    const palace = this.#app.palace;
    const asked = `${palace} ${params}`;
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.#params = params;
    const id = params.get("id") ?? "";
    replace(this.#content, waiting("Opening…"));
    try {
      if (id === "") throw Object.assign(new Error(), { code: "NOT_FOUND" });
      const found = await drawerText(id, { palace });
      if (asked !== this.#asked) return;
      document.title = `${found.title} – GraphPalace`;
      const go = (other) => (location.hash = drawerHref(other, palace));
      replace(this.#content, new DrawerPanel(found, { go }).element);
    } catch (error) {
      if (asked !== this.#asked) return;
      const missing = error.code === "NOT_FOUND";
      replace(this.#content, missing ? nothing("This palace has no such text.", "It may have been forgotten, or the link is for another palace.") : failed(error, () => this.back()));
    }
  }

  hide() {
    this.#asked = "";
  }

  // A link names the drawer of one palace.
  forget() {
    this.#asked = "";
    if (location.hash.startsWith("#/drawer")) location.hash = "#/search";
  }

  back() {
    this.#asked = "";
    this.show(this.#params);
  }
}
