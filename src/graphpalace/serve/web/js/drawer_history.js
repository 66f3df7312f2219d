// The earlier texts of a drawer, read when they are unfolded.

import { get } from "./api.js";
import { el, replace } from "./dom.js";
import { failed, waiting } from "./message.js";
import { moment } from "./moment.js";

/**
 * @param {string} id
 * @param {string | null} palace
 */
export function historyPart(id, palace) {
  const list = el("div", { class: "column" });
  const part = el("details", { class: "history" }, el("summary", {}, "Earlier texts"), list);
  part.addEventListener("toggle", () => part.open && load());
  return part;

  async function load() {
    replace(list, waiting("Reading…"));
    try {
      const { texts } = await get(`/v1/drawers/${encodeURIComponent(id)}/history`, { palace });
      replace(list, texts.length === 0 ? el("p", { class: "quiet" }, "The text was never changed.") : texts.map(({ text, since, until }) => el("div", {}, el("p", { class: "quiet" }, moment(since), " to ", moment(until)), el("pre", { class: "text earlier" }, text))));
    } catch (error) {
      replace(list, failed(error, load));
    }
  }
}
