import assert from "node:assert/strict";
import { test } from "node:test";
import { squarify } from "../../src/graphpalace/serve/web/js/treemap.js";

const BOX = { x: 10, y: 20, w: 600, h: 400 };
const SIZES = [[6, 6, 4, 3, 2, 2, 1], [1], [1000, 1], Array.from({ length: 80 }, (_, at) => 1 + (at * 37) % 23)];
const items = (sizes) => sizes.map((size, id) => ({ id, size }));
const close = (a, b) => assert.ok(Math.abs(a - b) < 1e-6 * Math.max(1, Math.abs(b)), `${a} is not ${b}`);

test("areas are in proportion to the sizes, and fill the box", () => {
  for (const sizes of SIZES) {
    const placed = squarify(items(sizes), BOX);
    assert.equal(placed.length, sizes.length);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    for (const { size, w, h } of placed) close(w * h, (BOX.w * BOX.h * size) / total);
  }
});

test("no item lies over another or outside of the box", () => {
  for (const sizes of SIZES) {
    const placed = squarify(items(sizes), BOX);
    placed.forEach((one, at) => {
      assert.ok(one.x >= BOX.x - 1e-6 && one.y >= BOX.y - 1e-6 && one.x + one.w <= BOX.x + BOX.w + 1e-6 && one.y + one.h <= BOX.y + BOX.h + 1e-6);
      for (const other of placed.slice(at + 1)) {
        const wide = Math.min(one.x + one.w, other.x + other.w) - Math.max(one.x, other.x);
        const high = Math.min(one.y + one.h, other.y + other.h) - Math.max(one.y, other.y);
        assert.ok(wide < 1e-6 || high < 1e-6, `${one.id} lies over ${other.id}`);
      }
    });
  }
});

test("the largest is first, and items of like sizes are nearly squares", () => {
  const placed = squarify(items(SIZES[3]), BOX);
  assert.deepEqual(placed.map(({ size }) => size), [...SIZES[3]].sort((a, b) => b - a));
  for (const { w, h } of placed) assert.ok(Math.max(w / h, h / w) < 3.5, `${w} by ${h}`);
});

test("the example of the paper is laid out as there", () => {
  const placed = squarify(items([6, 6, 4, 3, 2, 2, 1]), { x: 0, y: 0, w: 6, h: 4 });
  const [first, second, third] = placed.map(({ x, y, w, h }) => [x, y, w, h].map((one) => Math.round(one * 100) / 100));
  assert.deepEqual([first, second, third], [[0, 0, 3, 2], [0, 2, 3, 2], [3, 0, 1.71, 2.33]]);
});

test("nothing is placed where there is no room, and nothing to place", () => {
  assert.deepEqual(squarify([], BOX), []);
  assert.deepEqual(squarify(items([1, 2]), { ...BOX, w: 0 }), []);
  assert.deepEqual(squarify(items([0, 0]), BOX), []);
});
