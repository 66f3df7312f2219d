import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { serve } from "./browser.js";
import { connection } from "../../src/graphpalace/serve/web/js/connection.js";

const settle = () => new Promise(setImmediate);
let answers; // what the service answers from now on: status and body, or null if it does not
let asked;
let said;

connection.addEventListener("changed", ({ detail }) => said.push([detail.state, detail.text, detail.again].filter(Boolean).join(", ")));
connection.addEventListener("back", () => said.push("back"));

// A clock that only a test moves. The one of node does not bear that a timer is cleared twice.
const timers = new Map();
let now = 0;
let started = 0;
globalThis.setTimeout = (act, wait) => {
  timers.set((started += 1), { act, at: now + wait });
  return started;
};
globalThis.clearTimeout = (timer) => timers.delete(timer);

beforeEach(async () => {
  answers = [200, {}];
  said = [];
  serve(() => {
    asked += 1;
    if (answers === null) throw new TypeError("refused");
    return answers;
  });
  await connection.check();
  said = [];
  asked = 0;
});

async function after(seconds) {
  for (let passed = 0; passed < seconds; passed += 1) {
    now += 1000;
    for (const [timer, { act, at }] of [...timers]) if (at <= now && timers.delete(timer)) act();
    await settle();
    await settle();
  }
}

test("a service that answers is asked again after ten seconds", async () => {
  await after(9);
  assert.equal(asked, 0);
  await after(1);
  assert.deepEqual([asked, said], [1, ["connected, connected"]]);
});

test("a service that is away is tried again after 1, 2, 4, 8 and then each 10 seconds", async () => {
  answers = null;
  await connection.check();
  const tries = [];
  for (let second = 1; second <= 36; second += 1) {
    const before = asked;
    await after(1);
    if (asked > before) tries.push(second);
  }
  assert.deepEqual(tries, [1, 3, 7, 15, 25, 35]);
});

test("each second says when the next try is, and the return of the service is told once", async () => {
  answers = null;
  connection.lost("the service cannot be reached");
  await after(1);
  answers = [200, {}];
  await after(2);
  assert.deepEqual(said, [
    "away, the service cannot be reached, trying again in 1 s",
    "away, the service cannot be reached, trying again now",
    "away, the service cannot be reached, trying again in 2 s",
    "away, the service cannot be reached, trying again in 1 s",
    "away, the service cannot be reached, trying again now",
    "connected, connected",
    "back",
  ]);
});

test("what is said of the database tells what is known", async () => {
  for (const [answer, text] of [
    [[503, { reason: "wrong password" }], "the database cannot be used (wrong password)"],
    [[503, {}], "the database is being prepared"],
    [[500, {}], "the service cannot be reached"],
  ]) {
    answers = answer;
    await connection.check();
    assert.match(said.at(-1), new RegExp(`^away, ${text.replace(/[()]/g, "\\$&")}, trying again in`));
  }
});

test("further failures while it is away do not begin the wait anew", () => {
  connection.lost("first");
  connection.lost("second");
  assert.deepEqual(said, ["away, first, trying again in 1 s"]);
});

test("an answer to a request ends the wait", async () => {
  connection.lost("first");
  connection.found();
  await settle();
  await settle();
  assert.equal(connection.state, "connected");
});
