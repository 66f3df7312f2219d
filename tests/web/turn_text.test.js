import assert from "node:assert/strict";
import { test } from "node:test";
import { el } from "../../src/graphpalace/serve/web/js/dom.js";
import { turnText } from "../../src/graphpalace/serve/web/js/turn_text.js";
import "./browser.js";

const parts = (text, speaker = "assistant") => [...el("div", {}, turnText(text, speaker)).children].map((one) => [
  one.querySelector("summary")?.textContent ?? "said", one.querySelector("pre")?.textContent ?? one.textContent,
]);

test("calls of tools that follow each other are folded together", () => {
  assert.deepEqual(parts("I look.\n[Read: a.py]\n\n[Bash: make test]\nIt works."), [
    ["said", "I look."], ["2 calls of tools", "[Read: a.py]\n\n[Bash: make test]"], ["said", "It works."],
  ]);
  assert.deepEqual(parts("[mcp.search: harbour [x]]"), [["1 call of a tool", "[mcp.search: harbour [x]]"]]);
});

test("brackets that are no call are text", () => {
  for (const text of ["[1] a footnote", "[masked: token]", "[a b] c", "see [Read: a.py]", "[]"]) assert.deepEqual(parts(text), [["said", text]], text);
});

test("what people say is never folded", () => {
  assert.deepEqual(parts("[Bash: make test]", "user"), [["said", "[Bash: make test]"]]);
});
