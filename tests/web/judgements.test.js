import assert from "node:assert/strict";
import { test } from "node:test";
import { serve } from "./browser.js";
import { connection } from "../../src/graphpalace/serve/web/js/connection.js";
import { Judgements } from "../../src/graphpalace/serve/web/js/judgements.js";

connection.state = "connected";
let given = 0;
const accept = ({ method }) => (method === "POST" ? [200, { id: `feedback/${(given += 1)}` }] : [204]);
const said = (requests) => requests.map(({ method, path, body }) => (method === "POST" ? [body.useful, body.useless] : decodeURIComponent(path)));

test("each change replaces the feedback before it", async () => {
  given = 0;
  const requests = serve(accept);
  const judgements = new Judgements("main", "search-1");
  await judgements.say("a", "useful");
  await judgements.say("b", "useless");
  await judgements.say("a", "useless");
  assert.deepEqual(said(requests), [
    [["a"], []], "/v1/feedback/feedback/1", [["a"], ["b"]], "/v1/feedback/feedback/2", [[], ["a", "b"]],
  ]);
  assert.deepEqual([requests[0].body.run, requests[0].body.palace, requests[1].params], ["search-1", "main", [["palace", "main"]]]);
  assert.deepEqual([judgements.of("a"), judgements.of("b"), judgements.of("c")], ["useless", "useless", null]);
});

test("when the last verdict is taken back, no feedback is left", async () => {
  given = 0;
  const requests = serve(accept);
  const judgements = new Judgements("main", "search-1");
  await judgements.say("a", "useful");
  await judgements.say("a", null);
  assert.deepEqual(said(requests), [[["a"], []], "/v1/feedback/feedback/1"]);
  assert.equal(judgements.of("a"), null);
});

test("verdicts that are given at once are sent one after the other", async () => {
  given = 0;
  let open = 0;
  const requests = serve(async (request) => {
    assert.equal((open += 1), 1, "another request was still open");
    await new Promise(setImmediate);
    open -= 1;
    return accept(request);
  });
  const judgements = new Judgements("main", "search-1");
  await Promise.all([judgements.say("a", "useful"), judgements.say("b", "useful"), judgements.say("a", null)]);
  assert.deepEqual(said(requests).at(-1), [["b"], []]);
});

test("a verdict that was not saved does not count, and does not stop the next", async () => {
  given = 0;
  let works = false;
  serve((request) => (works ? accept(request) : [500, { error: { code: "INTERNAL", message: "a fault" } }]));
  const judgements = new Judgements("main", "search-1");
  await assert.rejects(judgements.say("a", "useful"), { message: "a fault" });
  assert.equal(judgements.of("a"), null);
  works = true;
  await judgements.say("b", "useful");
  assert.deepEqual([judgements.of("a"), judgements.of("b")], [null, "useful"]);
});
