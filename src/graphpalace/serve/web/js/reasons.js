// Why a hit was found: bars, each with its number.

import { bar } from "./bar.js";
import { el } from "./dom.js";
import { decimal, percent, signed } from "./numbers.js";

const LANES = { fulltext: "full text", semantic: "meaning", entity: "names", path: "graph walk", code: "codes", mcmp: "swarm" };
const MEASURES = { fulltext: "BM25", semantic: "cosine", path: "walk", code: "overlap" };
const TAUGHT = { question: "question map", lanes: "lane balance", memory: "similar questions", others: "other questions", bound: "limited by the bound" };

export function reasons(hit) {
  return el(
    "details",
    { class: "reasons" },
    el("summary", {}, "Why it was found: ", summary(hit)),
    el("dl", {}, Object.entries(hit.lanes).map(lane)),
    hit.taught && taught(hit.taught),
    hit.importance && importance(hit.importance),
    hit.pointing && pointing(hit.pointing),
    hit.news_on && hit.news_on.change > 0 && news(hit.news_on),
    hit.reranked && el("h3", {}, "Reranking"),
    hit.reranked && el("dl", {}, Object.entries(hit.reranked).map(([name, value]) => row(name, value, decimal(value)))),
  );
}

function summary({ lanes, taught: change, importance: boost, pointing: links, reranked }) {
  const shares = Object.entries(lanes)
    .filter(([, { share }]) => share >= 0.005)
    .sort(([, a], [, b]) => b.share - a.share)
    .map(([name, { share }]) => `${LANES[name] ?? name} ${percent(share)}`);
  return [...shares, change && "learned from feedback", boost && "importance", links && "mostly links", reranked && "reranked"].filter(Boolean).join(", ");
}

function lane([name, { rank, score, share }]) {
  const seen = rank === null ? "not ranked" : `rank ${rank}`;
  return row(LANES[name] ?? name, share, `${percent(share)} · ${seen} · ${MEASURES[name] ?? "score"} ${decimal(score)}`);
}

function taught(change) {
  const parts = Object.entries(TAUGHT).filter(([name]) => change[name] !== 0);
  const most = Math.max(...parts.map(([name]) => Math.abs(change[name])), 1e-9);
  const before = change.rank === null ? "not found without learning" : `rank ${change.rank} without learning`;
  return [
    el("h3", {}, "Learned"),
    el("p", { class: "quiet" }, `${before}, score ${decimal(change.score, 3)}`),
    el("dl", {}, parts.map(([name, label]) => row(label, Math.abs(change[name]) / most, signed(change[name]), change[name] < 0))),
  ];
}

function importance({ value, change }) {
  const text = `${signed(change)} to its score`;
  return [el("h3", {}, "Importance"), el("dl", {}, row(`set to ${decimal(value)}`, Math.abs(2 * value - 1), text, change < 0))];
}

function pointing({ share, change }) {
  return [el("h3", {}, "Links"), el("dl", {}, row(`${percent(share)} of its words`, share, `${signed(change)} to its score`, true))];
}

function news({ probability, change }) {
  return [el("h3", {}, "News"), el("dl", {}, row("newer than an older answer", probability, `${percent(probability)} probable · ${signed(change)} to its score`))];
}

function row(label, share, text, less = false) {
  return el("div", {}, el("dt", {}, label), el("dd", {}, bar(share, less ? "bar less" : "bar"), el("span", { class: "figure" }, text)));
}
