// The settings of a simulation as a form, built from the type, range, group and description that the service sends.

import { el, options, replace } from "./dom.js";

const ELSEWHERE = new Set(["query", "viz_dims"]); // beside the picture

export class SettingsForm {
  element = el("form", { class: "settings", novalidate: true, "aria-label": "Settings" });
  #fields = new Map();
  #usage = {};
  #kept = {};
  #running = false;

  constructor(apply) {
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.check()) apply();
    });
  }

  set({ settings, usage }) {
    const touched = this.#fields.size > 0 ? this.changes() : {};
    this.#kept = settings;
    if (JSON.stringify(usage) !== JSON.stringify(this.#usage)) this.#build(usage);
    for (const [name, field] of this.#fields) if (!(name in touched)) field.show(settings[name]);
  }

  set running(running) {
    this.#running = running;
    for (const [name, field] of this.#fields) field.input.disabled = running && !this.#usage[name].live;
  }

  // The values that differ from the service's; while a simulation runs, only those that may change then.
  changes() {
    const changed = {};
    for (const [name, field] of this.#fields) {
      const value = field.read();
      if (!field.input.disabled && JSON.stringify(value) !== JSON.stringify(this.#kept[name] ?? null)) changed[name] = value;
    }
    return changed;
  }

  check() {
    const wrong = [...this.#fields].filter(([name, field]) => field.say(problem(name, field, this.#usage[name])));
    wrong[0]?.[1].reveal();
    return wrong.length === 0;
  }

  // Shows the messages of the service at their fields; returns whether there was such a field.
  refuse(messages) {
    const known = Object.entries(messages).filter(([name]) => this.#fields.has(name));
    for (const [name, message] of known) this.#fields.get(name).say(message);
    if (known.length > 0) this.#fields.get(known[0][0]).reveal();
    return known.length > 0;
  }

  #build(usage) {
    this.#usage = usage;
    this.#fields.clear();
    const groups = new Map();
    for (const [name, one] of Object.entries(usage)) {
      if (ELSEWHERE.has(name)) continue;
      const field = new Field(name, one);
      this.#fields.set(name, field);
      groups.set(one.group, [...(groups.get(one.group) ?? []), field.element]);
    }
    const parts = [...groups].map(([group, fields]) => el("details", {}, el("summary", {}, group), fields));
    replace(this.element, parts, el("div", { class: "actions" }, el("button", {}, "Apply settings")));
    this.running = this.#running;
  }
}

class Field {
  constructor(name, usage) {
    const id = `setting-${name}`;
    this.usage = usage;
    this.message = el("span", { class: "field-problem", id: `${id}-problem`, role: "alert" });
    this.input = input(id, name, usage);
    this.input.addEventListener("input", () => this.say(problem(name, this, usage)));
    const hint = [usage.description, range(usage), usage.live ? null : "takes effect at the next start"].filter(Boolean).join("; ");
    this.element = el(
      "div",
      { class: "field" },
      el("label", { for: id }, name.replaceAll("_", " ")),
      this.input,
      el("span", { class: "hint", id: `${id}-hint` }, hint),
      this.message,
    );
  }

  show(value) {
    if (this.usage.type === "boolean") this.input.checked = value;
    else this.input.value = Array.isArray(value) ? value.join(", ") : (value ?? "");
    this.say("");
  }

  read() {
    const text = this.input.value.trim();
    if (this.usage.type === "boolean") return this.input.checked;
    if (this.usage.type === "list") return text.split(",").map((part) => part.trim()).filter(Boolean).map(numeral);
    if (this.usage.type === "string") return text;
    return text === "" ? null : Number(text);
  }

  say(message) {
    replace(this.message, message);
    if (message) this.input.setAttribute("aria-invalid", "true");
    else this.input.removeAttribute("aria-invalid");
    return message !== "";
  }

  reveal() {
    const group = this.element.closest("details");
    if (group) group.open = true;
    this.input.focus();
  }
}

const numeral = (text) => (/^\d+$/.test(text) ? Number(text) : text);

/** @returns {any} an input, or a select where there are choices */
function input(id, name, { type, min, max, choices }) {
  const common = { id, name, "aria-describedby": `${id}-hint ${id}-problem` };
  if (choices) return options(el("select", common), choices.map((choice) => [String(choice), String(choice)]));
  if (type === "boolean") return el("input", { ...common, type: "checkbox" });
  if (type === "integer" || type === "number") return el("input", { ...common, type: "number", min, max, step: type === "integer" ? 1 : "any" });
  return el("input", { ...common, type: "text", autocomplete: "off" });
}

function range({ min, max, default: usual, type }) {
  const shown = (value) => (typeof value === "number" && Math.abs(value) < 1e9 ? value.toLocaleString("en", { maximumFractionDigits: 6 }) : String(value));
  const bounds = min !== undefined && max !== undefined && max < 1e9 ? `${shown(min)} to ${shown(max)}` : null;
  const plain = type === "boolean" ? (usual ? "on" : "off") : Array.isArray(usual) ? usual.join(", ") : (usual ?? "");
  const text = plain === "" ? null : `default ${type === "number" || type === "integer" ? shown(usual) : plain}`;
  return [bounds, text].filter(Boolean).join(", ") || null;
}

const bounds = (min, max) => (max === undefined ? `at least ${min}` : min === undefined ? `at most ${max}` : `${min} to ${max}`);

function problem(name, field, { type, min, max, default: usual }) {
  if (type !== "integer" && type !== "number") return "";
  const value = field.read();
  if (field.input.validity.badInput || Number.isNaN(value)) return `${name} must be a number`;
  if (value === null) return usual === null ? "" : `${name} must be given`;
  if (type === "integer" && !Number.isInteger(value)) return `${name} is ${value}; it must be a whole number`;
  if (value < (min ?? -Infinity) || value > (max ?? Infinity)) return `${name} is ${value}; it must be ${bounds(min, max)}`;
  return "";
}
