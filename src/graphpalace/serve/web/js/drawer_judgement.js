// Whether an open text helped with the question that found it.

import { el, replace } from "./dom.js";

const VERDICTS = { useful: "It helped", useless: "It did not help" };

/**
 * @param {string} id
 * @param {import("./judgements.js").Judgements} judgements
 * @param {() => void} [judged] is called when it has changed
 */
export function verdictButtons(id, judgements, judged) {
  const said = el("p", { class: "said", role: "status" });
  const buttons = Object.entries(VERDICTS).map(([value, label]) => ({ value, button: el("button", { type: "button", onclick: () => judge(value) }, label) }));
  press();
  return el("div", { class: "actions judged" }, buttons.map(({ button }) => button), said);

  function press() {
    for (const { value, button } of buttons) button.setAttribute("aria-pressed", String(judgements.of(id) === value));
  }

  async function judge(value) {
    const wanted = judgements.of(id) === value ? null : value;
    replace(said, "Saving…");
    try {
      await judgements.say(id, wanted);
      replace(said, wanted ? "Saved. Later searches learn from it." : "Taken back.");
    } catch (error) {
      replace(said, `Not saved: ${error.message}`);
    }
    press();
    judged?.();
  }
}
