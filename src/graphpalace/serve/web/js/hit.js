// One answer: a line with its title, its place and buttons, the passage with the words of the question marked, and, while
// it is the current one, the rest: names, other places, and why it was found.

import { chain, walked } from "./chain.js";
import { newerOn, outdated } from "./current_facts.js";
import { el, replace } from "./dom.js";
import { openText } from "./drawer_dialog.js";
import { drawerText, isCode, lines } from "./drawer_text.js";
import { graphLink } from "./graph_link.js";
import { byName, HitNames } from "./hit_names.js";
import { isMarkdown, markdown } from "./markdown.js";
import { decimal } from "./numbers.js";
import { reasons } from "./reasons.js";

const SHORT = { chars: 420, lines: 9 };
const EARLY = 120;  // letters, which two lines hold
const SURE = 0.5;  // as on the command line
const COMMON = new Set("and are but can did does for from has have how into its not that the their then there these they this was were what when where which who why with you".split(" "));

// `places` has the number of each answer by its drawer; the names of the answer are filled in later.
export function hitCard(hit, { place, places, answer, names, judgements }) {
  const uri = hit.source.uri ?? "";
  const open = () => openText(async () => drawerText(hit.id, { palace: answer.palace, run: await judgements.run(), judgements, judged }));
  const said = el("p", { class: "said", role: "status" });
  let wanted = judgements.of(hit.id);
  let clicks = 0;
  const verdicts = [verdict("useful", "Useful"), verdict("useless", "Not useful")];
  const trail = walked(hit.trail, hit.id, names);
  const named = new HitNames();
  const card = el(
    "article",
    { class: "hit", tabindex: "-1", "aria-label": `Answer ${place}: ${hit.closet}`, onkeydown: keys },
    el(
      "header",
      {},
      el("h2", {}, el("span", { class: "rank" }, place), " ", hit.closet),
      chain("Path", hit.path.filter(({ kind }) => kind === "Wing" || kind === "Room"), { named: "visually-hidden" }),
      el("span", { class: "where" }, lines(hit.source)),
      said,
      el("span", { class: "score", title: confidence(hit) }, answer.fits ? sure(hit) : "", "score ", decimal(hit.score, 3)),
      el("span", { class: "actions" }, verdicts, el("button", { type: "button", class: "open", onclick: open }, "Open")),
    ),
    hit.outdated && outdated(hit.outdated, answer.palace),
    hit.newer?.change < 0 && !hit.outdated && newerOn(hit.newer, places, answer.palace),
    el(
      "div",
      { class: "body" },
      excerpt(hit.text, answer.query, uri),
      hit.reply && replied(hit.reply, answer),
      trail.length > 0 && chain("Walked", trail),
      named.element,
      hit.by_name && byName(hit.by_name, places),
      hit.also_at.length > 0 && alsoAt(hit.also_at, answer.palace),
      reasons(hit),
      el("p", { class: "quiet" }, graphLink(hit.id)),
    ),
  );
  return { card, named };

  function verdict(value, label) {
    const button = el("button", { type: "button", class: `verdict ${value}`, title: label, "aria-pressed": "false", onclick: () => judge(value) }, el("span", { class: "visually-hidden" }, label));
    button.dataset.value = value;
    return button;
  }

  // The button changes at once, while the feedback is sent.
  async function judge(value) {
    wanted = wanted === value ? null : value;
    const mine = (clicks += 1);
    press(wanted);
    replace(said, "Saving…");
    let outcome;
    try {
      await judgements.say(hit.id, wanted);
      outcome = wanted ? "Saved. Later searches learn from it." : "Taken back.";
    } catch (error) {
      outcome = `Not saved: ${error.message}`;
    }
    if (mine !== clicks) return; // another button was pressed meanwhile
    wanted = judgements.of(hit.id);
    press(wanted);
    replace(said, outcome);
  }

  // It was judged where it is open.
  function judged() {
    clicks += 1;
    wanted = judgements.of(hit.id);
    press(wanted);
    replace(said);
  }

  function press(value) {
    for (const button of verdicts) button.setAttribute("aria-pressed", String(value === button.dataset.value));
  }

  function keys(event) {
    if (event.target !== card || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = { u: () => judge("useful"), x: () => judge("useless"), n: () => judge("useless"), o: open, Enter: open }[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  }
}

// What was said next, where the text is a question in a conversation; a click opens it.
function replied({ drawer, author, text }, { palace, query }) {
  const open = el("button", { type: "button", class: "copy", onclick: () => openText(() => drawerText(drawer, { palace })) }, author ?? "Reply");
  return el("div", { class: "reply" }, el("p", { class: "quiet" }, open, " said next"), excerpt(text, query, "turn.md"));
}

// Where the same text stands too; each place opens its own drawer.
function alsoAt(copies, palace) {
  const place = ({ wing, room, closet, source }) => `${wing} › ${room} › ${closet}, ${lines(source)}`;
  const open = (copy) => () => openText(() => drawerText(copy.id, { palace }));
  const buttons = copies.map((copy) => el("li", {}, el("button", { type: "button", class: "copy", onclick: open(copy) }, place(copy))));
  return el("div", { class: "also" }, el("span", {}, "Also at"), el("ul", {}, buttons));
}

function sure({ confidence: value }) {
  if (typeof value !== "number") return "";
  return value >= SURE ? "sure · " : "maybe · ";
}

function confidence(hit) {
  const known = typeof hit.confidence === "number";
  return `${known ? `confidence that this answers the question: ${decimal(hit.confidence, 2)}; ` : ""}score after merging the lanes`;
}

function excerpt(text, query, uri) {
  const from = beginning(text, query);
  const short = text.slice(from, from + SHORT.chars).split("\n").slice(0, SHORT.lines).join("\n").trimEnd();
  const cut = from > 0 || short.length < text.trimEnd().length;
  const begin = `${from > 0 ? "… " : ""}${short.length < SHORT.chars ? short : short.replace(/\s\S*$/, "")} …`;
  const shown = el("div", { class: isMarkdown(uri) ? "text markdown" : isCode(uri) ? "text code" : "text" });
  const fill = (part) => mark(replace(shown, isMarkdown(uri) ? markdown(part) : part), query);
  fill(cut ? begin : text);
  if (!cut) return shown;
  const more = el("button", { type: "button", class: "more", "aria-expanded": "false" }, "Show all");
  more.addEventListener("click", () => {
    const all = more.getAttribute("aria-expanded") === "false";
    more.setAttribute("aria-expanded", String(all));
    replace(more, all ? "Show less" : "Show all");
    fill(all ? text : begin);
  });
  return [shown, more];
}

// Where a short passage begins: at the start, or in a long text at the line, or else the word, of the first match.
function beginning(text, query) {
  const any = wordsOf(query);
  const at = any ? text.search(any) : -1;
  if (at < EARLY) return 0;
  const line = text.lastIndexOf("\n", at) + 1;
  return at - line < EARLY ? line : text.lastIndexOf(" ", at - EARLY / 2) + 1;
}

// Matches the words of a question that are not common ones; null if it has none.
function wordsOf(query) {
  const words = (query.match(/[\p{L}\p{N}_]{3,}/gu) ?? []).filter((word) => !COMMON.has(word.toLowerCase())).sort((a, b) => b.length - a.length);
  return words.length === 0 ? null : new RegExp(`(${words.join("|")})`, "giu");
}

// Marks the words of the question everywhere in an element.
function mark(node, query) {
  const any = wordsOf(query);
  if (any === null) return;
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) text.replaceWith(...text.data.split(any).map((part, at) => (at % 2 ? el("mark", {}, part) : part)));
}
