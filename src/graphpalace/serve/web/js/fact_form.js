// The form that states a fact, or says what took the place of one.

import { whileDisabled } from "./action_button.js";
import { get, post } from "./api.js";
import { el, freshId, replace } from "./dom.js";
import { backAgain } from "./fact_changes.js";
import { sentence } from "./fact_text.js";
import { FormField, anyEmpty, showProblems } from "./form_field.js";

const TIMES = "Such as 2019, 2019-05 or 2019-05-31.";
const SUGGESTED = 8;

/**
 * @param {{ palace: string | null, subject?: string, drawers?: string[], notice: import("./notice.js").Notice, changed: () => void }} how
 */
export function factForm({ palace, subject = "", drawers = [], notice, changed }) {
  const names = el("datalist", { id: freshId("names") });
  const name = (field, value) => el("input", { name: field, maxlength: 200, autocomplete: "off", list: names.id, value, oninput: suggest });
  const replaces = el("input", { type: "checkbox", name: "replaces" });
  const fields = {
    subject: new FormField("Who or what", name("subject", subject), { suggestions: names }),
    predicate: new FormField("Does or is", el("input", { name: "predicate", maxlength: 200, autocomplete: "off" }), { hint: "Such as works at." }),
    object: new FormField("Whom or what", name("object", "")),
    valid_from: new FormField("Since", el("input", { name: "valid_from", autocomplete: "off" }), { hint: `${TIMES} Empty: since ever.` }),
    valid_to: new FormField("Until", el("input", { name: "valid_to", autocomplete: "off" }), { hint: `${TIMES} Empty: it still holds.` }),
  };
  const wrong = el("p", { class: "wrong", role: "alert" });
  const button = el("button", { class: "primary" }, "State it");
  const form = el(
    "form",
    { class: "column fact-form", novalidate: true, "aria-label": "State a fact" },
    el("div", { class: "field-row" }, [fields.subject, fields.predicate, fields.object].map(({ element }) => element)),
    el("div", { class: "field-row" }, fields.valid_from.element, fields.valid_to.element),
    el("label", { class: "check" }, replaces, " it takes the place of what held until then"),
    el("div", { class: "actions" }, button, wrong),
  );
  replaces.addEventListener("change", () => (fields.valid_to.element.hidden = replaces.checked));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    whileDisabled(button, state);
  });
  return form;

  async function suggest(event) {
    const query = event.target.value.trim();
    if (query.length < 2) return;
    const found = await get("/v1/names", { palace, query, limit: SUGGESTED }).catch(() => ({ names: [] }));
    replace(names, found.names.map((one) => el("option", { value: one.name })));
  }

  async function state() {
    replace(wrong);
    if (anyEmpty({ subject: "Say whom or what it is about.", predicate: "Say what holds of it.", object: "Say the other name." }, fields)) return;
    const fact = { palace, subject: fields.subject.value, predicate: fields.predicate.value, object: fields.object.value, drawers };
    const [from, to] = [fields.valid_from.value, fields.valid_to.value];
    try {
      const known = replaces.checked ? await post("/v1/facts/supersede", { ...fact, ...(from && { at: from }) }) : await post("/v1/facts", { ...fact, ...(from && { valid_from: from }), ...(to && { valid_to: to }) });
      fields.object.input.value = "";
      changed();
      if (!known.created) notice.say(["The palace knew already: ", sentence(known.fact), "."]);
      else notice.say(["Stated: ", sentence(known.fact), "."], () => unstate(known));
    } catch (error) {
      replace(wrong, error.fields?.at ? showProblems({ at: fields.valid_from }, error) : showProblems(fields, error));
    }
  }

  async function unstate({ fact, replaced = [] }) {
    await post("/v1/facts/invalidate", { palace, fact: fact.id });
    for (const old of replaced) await backAgain({ ...old, valid_to: null }, [old], palace);
    changed();
    return "Taken back.";
  }
}
