// A dialog with a whole text. That of a drawer can be changed, forgotten and followed to what stands beside it.

import { el, replace } from "./dom.js";
import { DrawerPanel, reading } from "./drawer_panel.js";
import { failed, waiting } from "./message.js";

/**
 * The dialog closes when another view opens.
 * @param {() => Promise<import("./drawer_panel.js").Reading | import("./drawer_panel.js").OpenDrawer>} load
 */
export async function openText(load) {
  const content = el("div", { class: "reading" }, waiting("Opening…"));
  const close = el("button", { type: "button", onclick: () => dialog.close() }, "Close");
  const dialog = el("dialog", { class: "large", "aria-label": "Text" }, content, el("div", { class: "actions" }, close));
  const leave = () => dialog.close();
  addEventListener("hashchange", leave);
  dialog.addEventListener("close", () => {
    removeEventListener("hashchange", leave);
    dialog.remove();
  });
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  try {
    const found = await load();
    if ("drawer" in found) content.replaceWith(new DrawerPanel(found).element);
    else replace(content, reading(found));
  } catch (error) {
    replace(content, failed(error));
  }
}
