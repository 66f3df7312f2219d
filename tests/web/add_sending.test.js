// What the page says of a file, from the service's report about it.

import assert from "node:assert/strict";
import test from "node:test";

import { newsOf, pathOf } from "../../src/graphpalace/serve/web/js/add_sending.js";

const NOTHING = { unreadable: [], skipped: {}, documents_stored: 0, documents_unchanged: 0, drawers_created: 0, drawers_kept: 0 };

test("a file that was stored is told with its passages", () => {
  assert.deepEqual(newsOf({ ...NOTHING, documents_stored: 1, drawers_created: 3, drawers_kept: 2 }), { state: "stored", drawers: 5 });
  assert.deepEqual(newsOf({ ...NOTHING, documents_unchanged: 1 }), { state: "unchanged" });
});

test("a file that was not stored is told with the reason", () => {
  const reason = (report) => newsOf({ ...NOTHING, ...report }).reason;
  assert.equal(reason({ unreadable: ["a.pdf is damaged"] }), "a.pdf is damaged");
  assert.equal(reason({ skipped: { unsupported: 1 } }), "Its format is not read.");
  assert.equal(reason({ skipped: { "too large": 1 } }), "It was left out: too large.");
  assert.equal(reason({}), "It has no text.");
});

test("the path is that below what was dropped or chosen", () => {
  const file = /** @type {any} */ ({ name: "new.md", webkitRelativePath: "boats/new.md" });
  assert.equal(pathOf(file), "boats/new.md");
  assert.equal(pathOf({ ...file, path: "harbour/new.md" }), "harbour/new.md");
  assert.equal(pathOf({ ...file, webkitRelativePath: "" }), "new.md");
});
