// Forgetting an open text, or its whole document: first what would go, then the receipt.

import { actionButton } from "./action_button.js";
import { post } from "./api.js";
import { el, replace } from "./dom.js";
import { alsoGone } from "./forgotten_panel.js";
import { failed, waiting } from "./message.js";
import { count } from "./numbers.js";

/**
 * @param {any} drawer
 * @param {{ of: number, palace: string | null, forgotten: (receipt: HTMLElement) => void, end: () => void }} how of: drawers of its document
 */
export function forgetForm(drawer, { of, palace, forgotten, end }) {
  const choices = { one: { drawers: [drawer.id] }, all: { source: drawer.source_uri, wing: drawer.wing } };
  let chosen = "one";
  let asked = 0;
  const preview = el("div", { class: "column", "aria-live": "polite" });
  const radio = (value, label) => el("label", { class: "check" }, el("input", { type: "radio", name: "forget", checked: value === chosen, onchange: () => choose(value) }), ` ${label}`);
  const form = el(
    "section",
    { class: "column forget", "aria-label": "Forget" },
    el("h3", {}, "Forget for good"),
    of > 1 && el("div", { class: "column" }, radio("one", "only this text"), radio("all", `the whole document, ${count(of, "text")}`)),
    preview,
    el("div", { class: "actions" }, el("button", { type: "button", onclick: end }, "Cancel")),
  );
  look();
  return form;

  function choose(value) {
    chosen = value;
    look();
  }

  async function look() {
    const mine = (asked += 1);
    replace(preview, waiting("Looking what would go…"));
    try {
      const plan = await post("/v1/forget", { palace, ...choices[chosen], dry_run: true });
      if (mine !== asked) return;
      const number = plan.drawers.length;
      const more = alsoGone(plan);
      replace(
        preview,
        el("p", {}, `${count(number, "text")} would be deleted from the palace, with everything that came from ${number === 1 ? "it" : "them"}. This cannot be undone.`),
        el("ul", { class: "quiet" }, plan.places.map((place) => el("li", {}, place)), number > plan.places.length && el("li", {}, `and ${number - plan.places.length} more`)),
        more && el("p", { class: "quiet" }, `Also deleted: ${more}`),
        number > 0 && actionButton(`Forget ${count(number, "text")}`, forget, { class: "danger" }),
      );
    } catch (error) {
      if (mine === asked) replace(preview, failed(error, look));
    }
  }

  async function forget() {
    try {
      const receipt = await post("/v1/forget", { palace, ...choices[chosen] });
      const more = alsoGone(receipt);
      forgotten(el("div", { class: "column", role: "status" }, el("p", {}, `${count(receipt.deleted, "text")} deleted.`), more && el("p", { class: "quiet" }, `Also deleted: ${more}`), receipt.id && el("p", { class: "quiet" }, `The receipt is ${receipt.id}. It has no text. `, el("a", { href: "#/conversations" }, "All receipts"), " stand below the conversations.")));
    } catch (error) {
      replace(preview, failed(error, look));
    }
  }
}
