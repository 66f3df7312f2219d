import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "./browser.js";
import { chain, walked } from "../../src/graphpalace/serve/web/js/chain.js";

const NAMES = new Map([["a", { id: "a", kind: "Drawer", name: "first" }], ["e", { id: "e", kind: "Entity", name: "Ada" }]]);

test("a walk ends at the drawer, in the order in which it was walked, whatever way the edges are stored", () => {
  const trail = [{ type: "MENTIONS", source: "a", target: "e" }, { type: "MENTIONS", source: "d", target: "e" }];
  assert.deepEqual(walked(trail, "d", NAMES).map(({ id, name, by }) => [id, name, by]), [
    ["a", "first", undefined], ["e", "Ada", "MENTIONS"], ["d", "another drawer", "MENTIONS"],
  ]);
  assert.deepEqual(walked([], "d", NAMES), []);
});

test("a chain names the kind of each step for those who do not see its shape", () => {
  const drawn = chain("Path", [{ kind: "Wing", name: "notes" }, { kind: "Unknown", name: "x", by: "LEADS_TO" }]);
  assert.deepEqual(texts(drawn, "li"), ["Wing notes", "LEADS_TOUnknown x"]);
  assert.equal(drawn.querySelectorAll("path[d=undefined]").length, 0);
});
