import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { press } from "./browser.js";
import { PalaceMap } from "../../src/graphpalace/serve/web/js/palace_map.js";

const room = (id, drawers, exploitation = 0) => ({ id, name: `room ${id}`, drawers, strength: { exploitation, recency: 1 } });
const MAP = {
  wings: [
    { name: "notes", drawers: 30, rooms: [room("a", 20, 4), room("b", 10, 1)] },
    { name: "talks", drawers: 10, rooms: [room("c", 10)] },
    { name: "empty", drawers: 0, rooms: [] },
  ],
  passages: [{ type: "TUNNEL", source: "a", target: "c", success: 2 }, { type: "HALL", source: "a", target: "b", success: 1 }, { type: "HALL", source: "b", target: "gone", success: 1 }],
};

let map;
let chosen;
const cell = (id) => map.element.querySelector(`[data-room=${id}]`);
const lines = () => [...map.element.querySelectorAll(".passages path")].map((one) => one.getAttribute("class"));

beforeEach(() => {
  map = new PalaceMap();
  Object.defineProperty(map.element, "clientWidth", { value: 800 }); // there is no layout here
  chosen = [];
  map.addEventListener("chosen", ({ detail }) => chosen.push(detail));
  document.body.replaceChildren(map.element);
  map.set({ map: MAP });
});

test("each room is a button that says what it holds, and a wing without rooms is not there", () => {
  assert.deepEqual([...map.element.querySelectorAll(".room")].map((one) => one.getAttribute("aria-label")), [
    "room a, wing notes, 20 drawers, exploitation 4.00", "room b, wing notes, 10 drawers, exploitation 1.00", "room c, wing talks, 10 drawers, exploitation 0",
  ]);
  assert.equal(map.element.querySelectorAll(".wing").length, 2);
});

test("only the first room is reached by the tabulator, the others by arrows", () => {
  assert.deepEqual([..."abc"].map((id) => cell(id).getAttribute("tabindex")), ["0", "-1", "-1"]);
  cell("a").focus();
  for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"]) press(document.activeElement, key);
  assert.equal(map.element.querySelectorAll(".room[tabindex='0']").length, 1);
  assert.equal(document.activeElement.getAttribute("tabindex"), "0");
  assert.equal(press(document.activeElement, "q"), false);
});

test("every room can be reached by arrows", () => {
  const reached = new Set(["a"]);
  for (const from of ["a", "b", "c"]) {
    for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"]) {
      cell(from).focus();
      press(cell(from), key);
      reached.add(document.activeElement.dataset.room);
    }
  }
  assert.deepEqual([...reached].sort(), ["a", "b", "c"]);
});

test("a room is chosen by a click or a key, stays in focus, and shows its passages", () => {
  assert.deepEqual(lines(), []);
  cell("a").dispatchEvent(new MouseEvent("click", { bubbles: true }));
  assert.deepEqual([chosen, cell("a").getAttribute("aria-pressed"), document.activeElement], [["a"], "true", cell("a")]);
  assert.deepEqual(lines(), ["tunnel", "hall"]);
  press(cell("c"), "Enter");
  assert.deepEqual([chosen, lines()], [["a", "c"], ["tunnel"]]);
});

test("all passages are drawn on demand, but none to a room that is not on the map", () => {
  map.set({ passages: true });
  assert.deepEqual(lines(), ["tunnel", "hall"]);
});

test("the gauge of a room is as long as its share of the strongest", () => {
  const wide = (id, part) => Number(cell(id).querySelector(part)?.getAttribute("width") ?? 0);
  const share = (id) => wide(id, ".gauge") / (wide(id, ".floor") - 8);
  assert.deepEqual([share("a"), Math.round(share("b") * 100), share("c")], [1, 25, 0]);
  map.set({ pheromone: "recency" });
  assert.equal(share("c"), 1);
});
