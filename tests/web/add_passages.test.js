// How the page cuts a text that is dropped on it.

import assert from "node:assert/strict";
import test from "node:test";

import { frontMatter } from "../../src/graphpalace/serve/web/js/add_front_matter.js";
import { passages, titleOf } from "../../src/graphpalace/serve/web/js/add_passages.js";

const NOTE = `---\ntitle: 'My boats'\ntags: [sea, '#wood']\nstatus: open\n---\n# Boats\n\nThe blue boat needs tar.\n\n## Sails\n\n${"Dry every sail before winter. ".repeat(60)}\n\n\`\`\`sh\n# not a heading\n\`\`\`\n\n## Oars\n\nshort\n\n## Ropes\n\nshort too\n`;

const cut = (text, markdown = true) => passages(text, { mostChars: 1200, markdown });

test("every passage is a part of the text, with its lines", () => {
  const lines = NOTE.split("\n");
  for (const { text, start_line: from, end_line: to } of cut(NOTE)) {
    assert.ok(NOTE.includes(text));
    assert.ok(text.length <= 1200);
    assert.ok(lines.slice(from - 1, to).join("\n").includes(text));
  }
});

test("a passage knows the headings above it, and what is no heading is none", () => {
  assert.deepEqual(cut(NOTE).map(({ headings }) => headings), [[], ["Boats"], ["Boats", "Sails"], ["Boats", "Sails"], ["Boats"]]);
});

test("a heading alone goes with what stands below it, and tiny neighbours are one passage", () => {
  const [only, ...more] = cut("# Garden\n\n## Herbs\n\nThyme likes stones.\n");
  assert.deepEqual([only.headings, more], [["Garden", "Herbs"], []]);
  assert.match(cut(NOTE).at(-1)?.text ?? "", /^## Oars[^]*short too$/);
});

test("front matter that says more than a title and tags is kept, and other front matter is not", () => {
  assert.match(cut(NOTE)[0].text, /^---\ntitle: 'My boats'/);
  assert.equal(cut("---\ntitle: A\n---\nwords\n")[0].text, "words");
  assert.deepEqual(frontMatter(NOTE).tags, ["sea", "wood"]);
  assert.deepEqual(frontMatter("---\ntags:\n  - one\n  - two\n---\n").tags, ["one", "two"]);
});

test("the title is that of the front matter, or else the first heading without its marks", () => {
  assert.equal(titleOf(NOTE), "My boats");
  assert.equal(titleOf("words\n\n# A [boat](x.md) of *oak* ##\n"), "A boat of oak");
  assert.equal(titleOf("words"), null);
});

test("a text without any break is cut all the same, and never within a sign", () => {
  assert.deepEqual(cut("x".repeat(3000), false).map(({ text }) => text.length), [1200, 1200, 600]);
  for (const { text } of cut(`x${"\u{1F980}".repeat(1500)}`, false)) assert.ok(text.isWellFormed());
});

test("lines may end as on any system, and a blank text has no passage", () => {
  assert.deepEqual(cut("a\r\nb\r\n\r\n  in\r\n", false), [{ text: "a\r\nb\r\n\r\n  in", start_line: 1, end_line: 4, headings: [] }]);
  assert.deepEqual(cut("\n \n\t\n", false), []);
});
