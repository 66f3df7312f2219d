import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "./browser.js";
import { timeLine } from "../../src/graphpalace/serve/web/js/time_line.js";

const NOW = Date.UTC(2026, 4, 18);
const fact = (from, to, more = {}) => ({ subject: "Ada", predicate: "works_at", object: "Mill", valid_from: from, valid_to: to, invalidated_at: null, confidence: 1, source: "a person", drawers: [], ...more });

function draw(context, facts) {
  context.mock.timers.enable({ apis: ["Date"], now: NOW });
  return timeLine(facts, { about: "Ada", palace: "main" });
}

const places = (drawn) => [...drawn.querySelectorAll(".span")].map((bar) => {
  const [, left, width] = /left: ([\d.]+)%; width: max\(4px, ([\d.]+)%\)/.exec(bar.getAttribute("style")).map(Number);
  return { left, right: Math.round(100 * (left + width)) / 100, class: bar.getAttribute("class").trim() };
});

test("a fact holds, has ended, is yet to come, or was taken back", (context) => {
  const drawn = draw(context, [
    fact("2025-01-01", null), fact("2024-01-01", "2025-01-01"), fact("2027-01-01", null), fact("2025-01-01", null, { invalidated_at: "2026-01-01" }),
  ]);
  assert.deepEqual([...drawn.querySelectorAll("li")].map((one) => one.getAttribute("class")), ["fact holds", "fact ended", "fact future", "fact unlearned"]);
  assert.deepEqual(texts(drawn, "li p.quiet").map((text) => text.trim()), [
    "since 1 January 2025 · holds", "1 January 2024 to 1 January 2025 · ended", "since 1 January 2027 · not yet", "since 1 January 2025 · taken back on 1 January 2026",
  ]);
});

test("a fact is a sentence in which other names are links", (context) => {
  const drawn = draw(context, [fact("2025-01-01", null, { confidence: 0.75 })]);
  assert.equal(drawn.querySelector("li p").textContent, "Ada works at Mill");
  assert.deepEqual([...drawn.querySelectorAll("li a")].map((one) => one.getAttribute("href")), ["#/names?name=Mill"]);
  assert.match(drawn.querySelector("li p.quiet").textContent, /75 % certain, by a person/);
});

test("bars begin and end with their facts, and at the ends of the line if those are unknown", (context) => {
  const [open, past, whole] = places(draw(context, [fact("2025-05-18", null), fact("2024-05-18", "2025-05-18"), fact(null, null)]));
  assert.deepEqual([open.class, past.class, whole.class], ["span  open-right", "span", "span open-left open-right"]);
  assert.equal(past.right, open.left);
  assert.ok(past.left > 0 && open.right === 100);
  assert.deepEqual([whole.left, whole.right], [0, 100]);
});

test("the ticks are few whole years or months, apart from each other and from now", (context) => {
  for (const [from, ticks] of [["2026-01-10", /^[A-Z][a-z]{2} 2026$/], ["2023-01-01", /^20\d\d$|^[A-Z][a-z]{2} 20\d\d$/], ["1815-12-10", /^(1[89]|20)\d0$/], ["0950-01-01", /^\d{3,4}$/]]) {
    const drawn = draw(context, [fact(from, null)]);
    const shown = texts(drawn, ".ticks span:not(.now)");
    assert.ok(shown.length >= 1 && shown.length <= 6, `${from}: ${shown}`);
    for (const text of shown) assert.match(text, ticks);
    context.mock.timers.reset();
  }
});
