import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { texts } from "./browser.js";
import { SettingsForm } from "../../src/graphpalace/serve/web/js/settings_form.js";

const USAGE = {
  num_agents: { type: "integer", group: "Agents", description: "how many", min: 1, max: 1000, default: 200, live: true },
  decay: { type: "number", group: "Trails", description: "per step", min: 0, max: 1, default: 0.05, live: true },
  limit: { type: "integer", group: "Trails", description: "of edges", min: 1, default: null, live: false },
  mode: { type: "string", group: "Agents", description: "how they move", choices: ["walk", "jump"], default: "walk", live: false },
  windows: { type: "list", group: "Corpus", description: "sizes", default: [200, 400], live: false },
  report_enabled: { type: "boolean", group: "Corpus", description: "reports", default: false, live: true },
  query: { type: "string", group: "Corpus", description: "the question", default: "", live: true },
};
const SETTINGS = { num_agents: 200, decay: 0.05, limit: null, mode: "walk", windows: [200, 400], report_enabled: false, query: "" };

let form;
let applied;
const field = (name) => form.element.querySelector(`[name=${name}]`);
const problems = () => texts(form.element, ".field-problem").filter(Boolean);
const fill = (values) => Object.entries(values).forEach(([name, value]) => (field(name).value = value));

beforeEach(() => {
  applied = 0;
  form = new SettingsForm(() => (applied += 1));
  document.body.replaceChildren(form.element);
  form.set({ settings: SETTINGS, usage: USAGE });
});

const submit = () => form.element.dispatchEvent(new Event("submit", { cancelable: true }));

test("there is a field for each setting, in groups, but not for what stands beside the picture", () => {
  assert.deepEqual(texts(form.element, "summary"), ["Agents", "Trails", "Corpus"]);
  assert.deepEqual(texts(form.element, "label"), ["num agents", "mode", "decay", "limit", "windows", "report enabled"]);
  assert.equal(form.element.querySelector("#setting-decay-hint").textContent, "per step; 0 to 1, default 0.05");
  assert.equal(form.element.querySelector("#setting-mode-hint").textContent, "how they move; default walk; takes effect at the next start");
});

test("nothing is changed until somebody changes it", () => {
  assert.deepEqual(form.changes(), {});
});

test("changes have the types of the settings", () => {
  fill({ num_agents: "20", decay: " 0.5 ", limit: "7", windows: "100, 50,", mode: "jump" });
  field("report_enabled").checked = true;
  assert.deepEqual(form.changes(), { num_agents: 20, mode: "jump", decay: 0.5, limit: 7, windows: [100, 50], report_enabled: true });
});

test("what was typed stays when the service tells its settings, and the rest follows", () => {
  fill({ decay: "0.5" });
  form.set({ settings: { ...SETTINGS, num_agents: 30 }, usage: USAGE });
  assert.deepEqual([field("decay").value, field("num_agents").value], ["0.5", "30"]);
  assert.deepEqual(form.changes(), { decay: 0.5 });
});

test("while a simulation runs, only what may change then can be changed", () => {
  fill({ limit: "7", decay: "0.5" });
  form.running = true;
  assert.deepEqual([field("limit").disabled, field("decay").disabled], [true, false]);
  assert.deepEqual(form.changes(), { decay: 0.5 });
  form.running = false;
  assert.equal(field("limit").disabled, false);
});

test("wrong values are told at their fields, and nothing is sent", () => {
  fill({ num_agents: "1.5", decay: "2" });
  submit();
  assert.deepEqual(problems(), ["num_agents is 1.5; it must be a whole number", "decay is 2; it must be 0 to 1"]);
  assert.deepEqual([applied, field("num_agents").getAttribute("aria-invalid"), document.activeElement], [0, "true", field("num_agents")]);
  assert.equal(field("num_agents").closest("details").open, true);
  fill({ num_agents: "15", decay: "" });
  submit();
  assert.deepEqual([problems(), applied], [["decay must be given"], 0]);
  fill({ decay: "0.1" });
  submit();
  assert.deepEqual([problems(), applied, field("decay").getAttribute("aria-invalid")], [[], 1, null]);
});

test("a setting that may be nothing may be left empty, and a bound on one side is told as such", () => {
  fill({ limit: "" });
  assert.equal(form.check(), true);
  fill({ limit: "0" });
  assert.equal(form.check(), false);
  assert.deepEqual(problems(), ["limit is 0; it must be at least 1"]);
});

test("what the service refuses is told at its field, if there is one", () => {
  assert.equal(form.refuse({ decay: "decay is too much", palace: "no such palace" }), true);
  assert.deepEqual([problems(), document.activeElement], [["decay is too much"], field("decay")]);
  assert.equal(form.refuse({ palace: "no such palace" }), false);
  assert.equal(form.refuse({}), false);
});
