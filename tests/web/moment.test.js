import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";
import { moment, parsed, written } from "../../src/graphpalace/serve/web/js/moment.js";

process.env.TZ = "Europe/Berlin";

test("times are read as the service and Neo4j write them", () => {
  const at = Date.UTC(2026, 4, 18, 12, 30);
  for (const text of ["2026-05-18T12:30:00Z", "2026-05-18T14:30:00+02:00", "2026-05-18T14:30:00.000000000+02:00[Europe/Berlin]"]) assert.equal(parsed(text), at, text);
  assert.deepEqual([parsed("at tea"), parsed(""), parsed(null), parsed(undefined)], [null, null, null, null]);
});

test("a time is written in the zone of the viewer", () => {
  const at = Date.UTC(2026, 4, 18, 22, 30);
  assert.deepEqual([written(at, "time"), written(at, "day"), written(new Date(at), "both")], ["00:30", "Tue, 19 May 2026", "19 May 2026, 00:30"]);
});

test("a moment says the whole time to machines and on hover", () => {
  const time = moment("2026-05-18T12:30:00.123456789Z", "time");
  assert.deepEqual([time.localName, time.textContent, time.getAttribute("datetime")], ["time", "14:30", "2026-05-18T12:30:00.123Z"]);
  assert.match(time.title, /18 May 2026.*14:30:00/);
});

test("a moment can be told from now", (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: Date.UTC(2026, 4, 18, 12, 33) });
  assert.equal(moment("2026-05-18T12:30:00Z", "ago").textContent, "3 minutes ago");
});

test("what is no time is shown as it is", () => {
  assert.equal(moment("at tea").outerHTML, "<span>at tea</span>");
  assert.equal(moment(null).textContent, "at an unknown time");
});
