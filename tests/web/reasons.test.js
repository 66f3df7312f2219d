import assert from "node:assert/strict";
import { test } from "node:test";
import { hit } from "./answers.js";
import { texts } from "./browser.js";
import { reasons } from "../../src/graphpalace/serve/web/js/reasons.js";

const summary = (more) => reasons(hit(more)).querySelector("summary").textContent.replace("Why it was found: ", "");
const rows = (more) => [...reasons(hit(more)).querySelectorAll("dl > div")].map((row) => [
  row.querySelector("dt").textContent, row.querySelector(".bar > span").style.width, row.querySelector(".figure").textContent,
]);

test("each lane has a bar as long as its share, its rank and its measure", () => {
  assert.deepEqual(rows(), [
    ["full text", "75%", "75 % · rank 1 · BM25 7.25"],
    ["meaning", "25%", "25 % · not ranked · cosine 0.50"],
  ]);
});

test("the summary names the lanes by their share, and leaves out those that gave nothing", () => {
  const lanes = { path: { rank: 9, score: 0.1, share: 0.004 }, semantic: { rank: 2, score: 0.4, share: 0.296 }, fulltext: { rank: 1, score: 9, share: 0.7 } };
  assert.equal(summary({ lanes }), "full text 70 %, meaning 30 %");
  assert.equal(summary({ lanes: { other: { rank: 1, score: 1, share: 1 } } }), "other 100 %");
});

test("what else moved the answer is in the summary too", () => {
  const more = {
    taught: { rank: 4, score: 0.5, question: 0.1, lanes: 0, memory: -0.2, others: 0, bound: 0 },
    importance: { value: 0.25, change: -0.05 }, pointing: { share: 0.9, change: -0.1 },
    reranked: { dense: 0.5, narrative: 0, pheromone: 1 },
  };
  assert.equal(summary(more), "full text 75 %, meaning 25 %, learned from feedback, importance, mostly links, reranked");
  assert.deepEqual(texts(reasons(hit(more)), "h3"), ["Learned", "Importance", "Links", "Reranking"]);
});

test("what learning changed is told against the answer without it, the largest change as the longest bar", () => {
  const taught = { rank: null, score: 0.5, question: 0.1, lanes: 0, memory: -0.2, others: 0, bound: 0 };
  assert.deepEqual(rows({ taught }).slice(2), [["question map", "50%", "+0.100"], ["similar questions", "100%", "−0.200"]]);
  const shown = reasons(hit({ taught }));
  assert.match(shown.querySelector("p").textContent, /^not found without learning, score 0\.500$/);
  assert.deepEqual([...shown.querySelectorAll("dl > div")].filter((row) => row.querySelector(".less")).map((row) => row.querySelector("dt").textContent), ["similar questions"]);
});

test("a change to nothing is shown as news only if it helped", () => {
  assert.deepEqual(texts(reasons(hit({ news_on: { probability: 0.9, change: 0 } })), "h3"), []);
  assert.deepEqual(rows({ news_on: { probability: 0.9, change: 0.125 } }).at(-1), ["newer than an older answer", "90%", "90 % probable · +0.125 to its score"]);
});

test("a bar is never longer than its place", () => {
  assert.deepEqual(rows({ reranked: { dense: -0.5, pheromone: 1.5 } }).slice(2).map(([, width]) => width), ["0%", "100%"]);
});
