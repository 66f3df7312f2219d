// The results, the report and the log of a simulation.

import { bar } from "./bar.js";
import { el, replace } from "./dom.js";
import { nothing } from "./message.js";
import { count, decimal } from "./numbers.js";
import { named, namedValues } from "./tables.js";

const LOGGED = 100;

// Replaces the list of results and keeps the keyboard focus on the same result.
export function showResults(place, found, open) {
  const focused = place.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.id : null;
  replace(place, resultList(found, open));
  if (focused) [...place.querySelectorAll("button")].find((button) => button.dataset.id === focused)?.focus();
}

function resultList({ query, step, results, rule }, open) {
  if (results.length === 0) return nothing("No results yet.");
  const most = Math.max(...results.map(({ score }) => score), 1e-9);
  return [
    el("p", { class: "quiet" }, [query ? `for “${query}”` : "by relevance", step !== undefined && `step ${step}`, rule && `stable ${rule}`].filter(Boolean).join(", ")),
    el(
      "ol",
      { class: "results" },
      results.map((result) =>
        el(
          "li",
          {},
          el("button", { type: "button", class: "link", "data-id": result.id, onclick: () => open(result.id) }, result.path || result.id),
          el("p", { class: "snippet" }, result.snippet),
          bar(result.score / most),
          el("p", { class: "quiet figure" }, `relevance ${decimal(result.score, 3)} · cosine ${decimal(result.similarity, 3)} · ${count(result.visits, "visit")}`),
        ),
      ),
    ),
  ];
}

export function reportPanel({ step, mode, source, summary, items }) {
  return [
    el("p", { class: "quiet" }, `${mode} report of step ${step}, ${source === "structure" ? "written from the structure of the documents alone" : `by ${source}`}`),
    el("p", { class: "text" }, summary),
    items.map((item) =>
      el(
        "details",
        { class: "report-item" },
        el("summary", {}, [item.file_path, item.line_range].filter(Boolean).join(" "), el("span", { class: "figure quiet" }, ` ${decimal(item.embedding_score, 3)}`)),
        facts({ Purpose: item.code_purpose, "Why it is relevant": item.relevance_to_query, "Depends on": item.code_dependencies, Type: item.file_type, "Follow-up questions": item.follow_up_queries }),
        el("pre", { class: "text code" }, item.content || item.code_chunk),
      ),
    ),
  ];
}

function facts(values) {
  const rows = Object.entries(values).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]);
  return namedValues(rows.filter(([, value]) => value).map(([name, value]) => named(name, value)));
}

export class LogLines {
  element = el("div", { class: "log", role: "log", "aria-label": "Log", tabindex: "0" });

  add({ level, message }) {
    const time = new Date().toLocaleTimeString();
    this.element.append(el("p", { class: level }, el("span", { class: "quiet" }, `${time} ${level} `), message));
    while (this.element.children.length > LOGGED) this.element.firstChild?.remove();
    this.element.scrollTop = this.element.scrollHeight;
  }

  clear() {
    replace(this.element);
  }
}
