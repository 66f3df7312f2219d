import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, hit } from "./answers.js";
import { press, texts } from "./browser.js";
import { hitCard } from "../../src/graphpalace/serve/web/js/hit.js";

const LONG = "Nothing of this has to do with the question at all. ".repeat(12);

function draw(more, { verdicts = {}, say = async () => {}, ...of } = {}) {
  const one = hit(more);
  const judgements = { of: (id) => verdicts[id] ?? null, say };
  const { card } = hitCard(one, { place: 2, places: new Map([[one.id, 2]]), answer: answer(of), names: new Map(), judgements });
  document.body.replaceChildren(card);
  return card;
}

const passage = (card) => card.querySelector(".body .text").textContent;
const marked = (card) => texts(card, ".body .text mark");

test("a card says its place, its title, where it is, and how sure it is", () => {
  const card = draw();
  assert.equal(card.querySelector("h2").textContent, "2 harbour.txt");
  assert.deepEqual(texts(card, "header .chain-name"), ["notes", "sea"]);
  assert.equal(card.querySelector(".where").textContent, "lines 3–9");
  assert.equal(card.querySelector(".score").textContent, "sure · score 0.813");
});

test("it is not said to be sure where nothing fits, or nothing is known of it", () => {
  assert.equal(draw({}, { fits: false }).querySelector(".score").textContent, "score 0.813");
  assert.equal(draw({ confidence: null }).querySelector(".score").textContent, "score 0.813");
  assert.equal(draw({ confidence: 0.49 }).querySelector(".score").textContent, "maybe · score 0.813");
});

test("the words of the question are marked, whatever their case, but not the common ones", () => {
  assert.deepEqual(marked(draw({ text: "When the HARBOUR was closed, harbours elsewhere stood open." })), ["HARBOUR", "closed", "harbour"]);
  assert.deepEqual(marked(draw({ text: "a (b) [c]" }, { query: "(b) [c] the" })), []);
});

test("the longer of two words is marked where both begin", () => {
  assert.deepEqual(marked(draw({ text: "harbourmaster" }, { query: "harbour harbourmaster" })), ["harbourmaster"]);
});

test("a short text is shown whole", () => {
  const card = draw();
  assert.equal(passage(card), "The harbour was closed in May.");
  assert.equal(card.querySelector("button.more"), null);
});

test("of a long text the beginning is shown, cut at a word, and all of it on demand", () => {
  const text = `The harbour. ${LONG}`;
  const card = draw({ text }, { query: "the harbour in question" });
  assert.match(passage(card), /^The harbour\. Nothing .* …$/);
  assert.ok(passage(card).length <= 422);
  assert.ok(text.startsWith(`${passage(card).slice(0, -2)} `));
  const more = card.querySelector("button.more");
  more.click();
  assert.deepEqual([passage(card), more.textContent, more.getAttribute("aria-expanded")], [text, "Show less", "true"]);
  assert.deepEqual(marked(card).slice(0, 2), ["harbour", "question"]);
  more.click();
  assert.match(passage(card), /…$/);
});

test("a long text is shown from the line that answers, if the line is short", () => {
  const text = `${"No word of it.\n".repeat(60)}It was the harbour.\nThen nothing.`;
  assert.equal(passage(draw({ text })), "… It was the harbour.\nThen nothing. …");
});

test("in a long line the passage begins at a word, a little before what answers", () => {
  const shown = passage(draw({ text: `${"word ".repeat(200)}the harbour ${"word ".repeat(200)}` }));
  assert.match(shown, /^… word (word )+the harbour word/);
  assert.ok(shown.indexOf("harbour") < 120);
});

test("Markdown is rendered and code is not", () => {
  assert.equal(draw({ text: "**harbour**", source: { uri: "file:///a.md" } }).querySelector(".markdown strong mark").textContent, "harbour");
  const code = draw({ text: "def harbour(**more):\n    pass", source: { uri: "file:///a.py" } });
  assert.equal(code.querySelector(".text.code").textContent, "def harbour(**more):\n    pass");
});

test("a verdict is pressed at once, sent, and can be taken back", async () => {
  const sent = [];
  const verdicts = {};
  const card = draw({}, { verdicts, say: async (id, verdict) => sent.push([id, (verdicts[id] = verdict)]) });
  const [useful, useless] = card.querySelectorAll("button.verdict");
  const state = () => [useful, useless].map((button) => button.getAttribute("aria-pressed"));
  useful.click();
  assert.deepEqual([state(), card.querySelector(".said").textContent], [["true", "false"], "Saving…"]);
  await new Promise(setImmediate);
  assert.match(card.querySelector(".said").textContent, /^Saved/);
  useful.click();
  await new Promise(setImmediate);
  assert.deepEqual([state(), card.querySelector(".said").textContent], [["false", "false"], "Taken back."]);
  assert.deepEqual(sent, [["drawer-1", "useful"], ["drawer-1", null]]);
});

test("a verdict that could not be saved is not pressed any more", async () => {
  const card = draw({}, { say: async () => Promise.reject(new Error("no service")) });
  card.querySelector("button.useless").click();
  await new Promise(setImmediate);
  assert.deepEqual(
    [card.querySelector("button.useless").getAttribute("aria-pressed"), card.querySelector(".said").textContent],
    ["false", "Not saved: no service"],
  );
});

test("of two verdicts in short order only the outcome of the last is shown", async () => {
  const waiting = [];
  const verdicts = {};
  const say = (id, verdict) => {
    const { promise, resolve } = Promise.withResolvers();
    waiting.push(() => resolve((verdicts[id] = verdict)));
    return promise;
  };
  const card = draw({}, { verdicts, say });
  card.querySelector("button.useful").click();
  card.querySelector("button.useless").click();
  waiting[0]();
  await new Promise(setImmediate);
  assert.deepEqual([card.querySelector("button.useless").getAttribute("aria-pressed"), card.querySelector(".said").textContent], ["true", "Saving…"]);
  waiting[1]();
  await new Promise(setImmediate);
  assert.match(card.querySelector(".said").textContent, /^Saved/);
});

test("keys judge the current answer, unless they are for something else", async () => {
  const sent = [];
  const card = draw({}, { say: async (_id, verdict) => sent.push(verdict) });
  assert.equal(press(card, "u"), true);
  assert.equal(press(card, "x"), true);
  assert.equal(press(card, "u", { ctrlKey: true }), false);
  assert.equal(press(card.querySelector("button"), "u"), false);
  assert.equal(press(card, "q"), false);
  await new Promise(setImmediate);
  assert.deepEqual(sent, ["useful", "useless"]);
});

test("other places of the same text, and the way over the graph, are named", () => {
  const copy = { id: "d2", wing: "w2", room: "r2", closet: "c2", source: { start_line: 1, end_line: 1 } };
  assert.deepEqual(texts(draw({ also_at: [copy] }), ".also button"), ["w2 › r2 › c2, line 1"]);
  const trail = [{ type: "SIMILAR_TO", source: "drawer-1", target: "d3" }];
  assert.deepEqual(texts(draw({ trail }), ".body .chain-name"), ["another drawer", "another drawer"]);
});
