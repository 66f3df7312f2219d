// Names: the list of all names of a palace, or the page of one name, as the address says.

import { ListOrPageView } from "./list_or_page_view.js";
import { NameList } from "./name_list.js";
import { NamePage } from "./name_page.js";

export class NamesView extends ListOrPageView {
  constructor(app) {
    super(app, {
      list: new NameList(app),
      page: new NamePage(app),
      key: "name",
      left: "#/names?name=",
      name: "names-view",
      label: "Names",
    });
    document.addEventListener("keydown", (event) => this.#keys(event));
  }

  #keys(event) {
    const typing = event.target.closest("input, select, textarea, dialog, [contenteditable]");
    if (event.key !== "/" || !this.element.isConnected || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    /** @type {HTMLInputElement | null} */
    const field = this.element.querySelector("input[type=search]");
    field?.focus();
  }
}
