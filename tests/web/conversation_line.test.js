import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { press, texts } from "./browser.js";
import { ConversationLine } from "../../src/graphpalace/serve/web/js/conversation_line.js";
import { choiceHref, conversationHref } from "../../src/graphpalace/serve/web/js/conversation_link.js";

process.env.TZ = "UTC";

const said = (conversation, began, ended, more = {}) => ({
  conversation, host: "codex", wing: "talks", title: conversation, project: "p", drawers: 2, began_at: began && `2026-05-${began}Z`, ended_at: ended && `2026-05-${ended}Z`, filed_at: "2026-05-20T00:00Z", ...more,
});

let line;
beforeEach(() => {
  line = new ConversationLine();
  document.body.replaceChildren(line.element);
});

const show = (conversations, choice = {}) => line.show(conversations, choice);
const bars = () => [...line.element.querySelectorAll(".said-in")];
const box = (bar) => Object.fromEntries(["left", "width", "top"].map((name) => [name, Number.parseFloat(bar.style[name])]));

test("each conversation is a bar that leads to it, in the lane of its project, or else of its wing", () => {
  show([said("b", "19T10:00", "19T12:00"), said("a", "18T10:00", "18T12:00"), said("c", "17T10:00", "17T11:00", { project: null })]);
  assert.deepEqual(texts(line.element, ".lane-name"), ["p 2", "talks 1"]);
  assert.deepEqual(bars().map((bar) => bar.getAttribute("href")), ["b", "a", "c"].map((one) => `#/conversations?conversation=codex%2F${one}&wing=talks`));
  assert.equal(bars()[0].title, "b – 19 May 2026, 10:00 to 19 May 2026, 12:00, codex, 2 drawers");
  const [late, early, first] = bars().map(box);
  assert.ok(first.left < early.left && early.left < late.left && late.left + late.width <= 100);
});

test("bars of the same time stand in rows of their own", () => {
  show([said("a", "18T10:00", "18T12:00"), said("b", "18T10:30", "18T11:00"), said("c", "19T10:00", "19T11:00")]);
  const tops = Object.fromEntries(bars().map((bar) => [bar.title[0], box(bar).top]));
  assert.notEqual(tops.a, tops.b);
  assert.equal(tops.a, tops.c);
});

test("a lane grows by some rows only, however much was said at once", () => {
  show(Array.from({ length: 30 }, (_, at) => said(`c${at}`, "18T10:00", "18T12:00")));
  assert.equal(new Set(bars().map((bar) => box(bar).top)).size, 6);
});

test("the projects beyond the tenth lane share the last", () => {
  show(Array.from({ length: 14 }, (_, at) => said(`c${at}`, "18T10:00", "18T12:00", { project: `p${at}` })));
  assert.equal(line.element.querySelectorAll(".lane").length, 10);
  assert.equal(texts(line.element, ".lane-name").at(-1), "5 others 5");
});

test("a conversation without a time is left out, and one that is only filed stands where it was filed", () => {
  show([said("a", null, null, { filed_at: null }), said("b", null, null)]);
  assert.deepEqual(bars().map((bar) => bar.title), ["b – 20 May 2026, 00:00, codex, 2 drawers"]);
  show([]);
  assert.equal(line.element.childElementCount, 0);
});

test("a tick narrows down to its period, and keeps what was chosen", () => {
  show([said("a", "01T10:00", "01T12:00"), said("b", "30T10:00", "30T12:00")], { host: "codex", wing: "" });
  for (const tick of line.element.querySelectorAll(".tick")) {
    const params = new URLSearchParams(tick.getAttribute("href").split("?")[1]);
    assert.deepEqual([params.get("host"), params.has("wing"), params.get("since") < params.get("until")], ["codex", false, true]);
  }
});

test("arrow keys move in time, and to the nearest bar of another lane", () => {
  show([
    said("late", "19T10:00", "19T11:00"), said("early", "10T10:00", "10T11:00"),
    said("other", "18T10:00", "18T11:00", { project: "q" }), said("older", "11T10:00", "11T11:00", { project: "q" }),
  ]);
  const at = () => document.activeElement.title.split(" ")[0];
  bars()[0].focus();
  const walk = ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp", "ArrowUp"].map((key) => {
    press(document.activeElement, key);
    return at();
  });
  assert.deepEqual(walk, ["late", "early", "older", "other", "late", "late"]);
  assert.deepEqual(bars().filter((bar) => bar.getAttribute("tabindex") === "0").map((bar) => bar.title.split(" ")[0]), ["late"]);
  assert.equal(press(document.activeElement, "a"), false);
});

test("addresses bear any name", () => {
  assert.equal(conversationHref({ host: "codex", conversation: "a/b&c=d", wing: "w #1" }), "#/conversations?conversation=codex%2Fa%2Fb%26c%3Dd&wing=w+%231");
  assert.deepEqual([choiceHref({ host: "", days: "7" }), choiceHref({ host: "" })], ["#/conversations?days=7", "#/conversations"]);
});
