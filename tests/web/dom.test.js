import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";
import { el, freshId, options, replace, svg } from "../../src/graphpalace/serve/web/js/dom.js";

test("text becomes text, whatever it looks like", () => {
  const shown = el("p", { title: '"><b>' }, "<b>bold</b>", ["&amp;", [el("i", {}, "real")]]);
  assert.equal(shown.textContent, "<b>bold</b>&amp;real");
  assert.deepEqual([...shown.children].map(({ localName }) => localName), ["i"]);
  assert.equal(shown.title, '"><b>');
});

test("what is false, null or undefined is left out, but nothing else is", () => {
  const shown = el("p", { hidden: false, title: null, lang: undefined, "data-on": true, "data-number": 0 }, false, null, undefined, "", "0", "a");
  assert.equal(shown.outerHTML, '<p data-on="" data-number="0">0a</p>');
});

test("listeners are heard, and a value is what the field holds", () => {
  let pressed = 0;
  const field = el("input", { value: "typed", onclick: () => (pressed += 1) });
  field.click();
  assert.deepEqual([pressed, field.value], [1, "typed"]);
});

test("a picture is made of elements of SVG", () => {
  const drawn = svg("svg", { viewBox: "0 0 1 1" }, svg("path", { d: "M0 0" }));
  assert.deepEqual([drawn.namespaceURI, drawn.firstChild.namespaceURI], Array(2).fill("http://www.w3.org/2000/svg"));
});

test("what was there is replaced, also by nothing", () => {
  const place = el("div", {}, "old", el("b", {}));
  assert.equal(replace(place, ["a", [false, el("i", {}, "b")]]), place);
  assert.equal(place.innerHTML, "a<i>b</i>");
  assert.equal(replace(place).childNodes.length, 0);
});

test("there may be more children than a call can have arguments", () => {
  let appended = 0;
  const place = { replaceChildren: () => (appended = 0), append: () => (appended += 1) };
  replace(place, Array(300_000).fill("a "));
  assert.equal(appended, 300_000);
});

test("a choice has its rows, with one chosen", () => {
  const select = options(el("select", {}), [["", "any"], ["a", "the first"], ["b", "the second"]], "b");
  const rows = [...select.options].map((one) => [one.value, one.text, one.hasAttribute("selected")]);
  assert.deepEqual(rows, [["", "any", false], ["a", "the first", false], ["b", "the second", true]]);
});

test("an id is never given twice", () => {
  assert.notEqual(freshId("a"), freshId("a"));
});
