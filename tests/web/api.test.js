import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { serve } from "./browser.js";
import { ApiError, get, key, post, remove } from "../../src/graphpalace/serve/web/js/api.js";
import { connection } from "../../src/graphpalace/serve/web/js/connection.js";

const failure = (detail, message = "the request is wrong") => new ApiError(422, { code: "INVALID", message, detail });

beforeEach(() => {
  sessionStorage.clear();
  connection.state = "connected";
});

test("the fields of a wrong request have their messages", () => {
  const { fields } = failure([{ field: "body.query", problem: "is empty" }, { field: "top_k", problem: "is 0" }]);
  assert.deepEqual(fields, { query: "is empty", top_k: "is 0" });
});

test("a message on several fields is divided among them", () => {
  const message = "agents is 0; it must be 1 to 10; steps has no value";
  assert.deepEqual(failure({ fields: ["agents", "steps"] }, message).fields, { agents: "agents is 0; it must be 1 to 10", steps: "steps has no value" });
});

test("a field that the message does not name has the whole message", () => {
  assert.deepEqual(failure({ field: "root" }, "no such folder").fields, { root: "no such folder" });
});

test("most failures name no field", () => {
  for (const detail of [undefined, null, {}, []]) assert.deepEqual(failure(detail).fields, {});
});

test("parameters without a value are left out, and lists are sent as several", async () => {
  const requests = serve(() => [200, { fine: true }]);
  assert.deepEqual(await get("/v1/names", { palace: "a&b", query: "", type: undefined, offset: 0, drawer: ["1", "2"] }), { fine: true });
  assert.deepEqual(requests[0].params, [["palace", "a&b"], ["offset", "0"], ["drawer", "1"], ["drawer", "2"]]);
  assert.deepEqual([requests[0].method, requests[0].path, requests[0].body], ["GET", "/v1/names", undefined]);
});

test("a body is sent as JSON, and an answer may have none", async () => {
  const requests = serve(() => [204]);
  assert.equal(await post("/v1/stop", { now: true }, { simulation: "s" }), null);
  assert.deepEqual([requests[0].body, requests[0].headers["Content-Type"], requests[0].params], [{ now: true }, "application/json", [["simulation", "s"]]]);
  assert.equal(await remove("/v1/feedback/1"), null);
  assert.deepEqual([requests[1].method, requests[1].headers], ["DELETE", {}]);
});

test("a failure says what the service says", async () => {
  serve(() => [404, { error: { code: "NOT_FOUND", message: "no such palace", detail: { field: "palace" } } }]);
  await assert.rejects(get("/v1/wings"), (error) => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.status, error.code, error.message, error.fields], [404, "NOT_FOUND", "no such palace", { palace: "no such palace" }]);
    return true;
  });
});

test("a failure of something in between is told too", async () => {
  globalThis.fetch = async () => new Response("<h1>Bad gateway</h1>", { status: 502 });
  await assert.rejects(get("/v1/wings"), { code: "UNKNOWN", status: 502, message: "the service answered 502" });
});

test("a service that does not answer, or cannot reach its database, is noticed", async (context) => {
  const lost = context.mock.method(connection, "lost", () => {});
  globalThis.fetch = async () => {
    throw new TypeError("refused");
  };
  await assert.rejects(get("/v1/wings"), { code: "AWAY", status: 0 });
  serve(() => [503, { error: { code: "DATABASE_UNAVAILABLE", message: "no database" } }]);
  await assert.rejects(get("/v1/wings"), { code: "DATABASE_UNAVAILABLE" });
  assert.deepEqual(lost.mock.calls.map((call) => call.arguments[0]), ["the service cannot be reached", "the database cannot be reached"]);
});

test("a key is asked for once, sent from then on, and asked for again if it is refused", async () => {
  const requests = serve(({ headers }) => (headers.Authorization === "Bearer right" ? [200, []] : [401, { error: { code: "UNAUTHORIZED", message: "no key" } }]));
  const answers = [get("/v1/wings"), get("/v1/rooms")];
  await give("wrong", (dialog) => assert.equal(dialog.querySelector("[role=alert]"), null));
  await give(" right ", (dialog) => assert.match(dialog.querySelector("[role=alert]").textContent, /did not accept/));
  assert.deepEqual(await Promise.all(answers), [[], []]);
  assert.equal(key.get(), "right");
  const before = requests.length;
  await get("/v1/map");
  assert.deepEqual(requests.slice(before).map(({ headers }) => headers.Authorization), ["Bearer right"]);
});

test("a request that was refused before the key was given is sent again with it, without a question", async () => {
  const { promise: late, resolve: refuse } = Promise.withResolvers();
  serve(async ({ path, headers }) => {
    if (headers.Authorization) return [200, path];
    if (path === "/v1/rooms") await late;
    return [401, { error: { code: "UNAUTHORIZED", message: "no key" } }];
  });
  const answers = [get("/v1/wings"), get("/v1/rooms")];
  await give("right", () => {});
  assert.equal(await answers[0], "/v1/wings");
  refuse();
  assert.equal(await answers[1], "/v1/rooms");
  assert.equal(document.querySelector("dialog"), null);
});

/** Waits for the dialog that asks for a key, and types one. */
async function give(text, look) {
  let dialog;
  for (let turns = 0; turns < 100 && !(dialog = document.querySelector("dialog")); turns += 1) await new Promise(setImmediate);
  assert.equal(document.querySelectorAll("dialog").length, 1);
  look(dialog);
  dialog.querySelector("input").value = text;
  dialog.querySelector("form").dispatchEvent(new Event("submit", { cancelable: true }));
}
