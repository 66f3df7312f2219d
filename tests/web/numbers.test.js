import assert from "node:assert/strict";
import { test } from "node:test";
import { count, day, decimal, fromNow, instant, percent, signed } from "../../src/graphpalace/serve/web/js/numbers.js";

test("things are counted with their word in the right number", () => {
  assert.deepEqual([count(0, "name"), count(1, "name"), count(1234567, "name")], ["0 names", "1 name", "1,234,567 names"]);
  assert.equal(count(2, "entry of a search", "entries of searches"), "2 entries of searches");
});

test("a number that would be rounded to nothing says that it is small, on both sides of nothing", () => {
  assert.deepEqual([decimal(0), decimal(0.5), decimal(0.004), decimal(-0.004), decimal(12.3456, 3)], ["0", "0.50", "< 0.01", "< 0.01", "12.346"]);
});

test("changes have a sign, and shares are whole percents", () => {
  assert.deepEqual([signed(0.25), signed(-0.25), signed(0)], ["+0.250", "−0.250", "+0.000"]);
  assert.deepEqual([percent(0), percent(0.005), percent(0.994), percent(1)], ["0 %", "1 %", "99 %", "100 %"]);
});

test("a fact's time is a day if it begins one, else a time, and what is no time stays as it is", () => {
  for (const whole of ["2026-05-18", "2026-05-18T00:00", "2026-05-18T00:00:00Z", "2026-05-18T00:00:00.000000000+00:00"]) {
    assert.equal(day(whole), "18 May 2026", whole);
  }
  assert.match(day("2026-05-18T14:30:00.123456789Z[UTC]"), /^18 May 2026 at 14:30$/);
  assert.equal(day("last spring"), "last spring");
});

test("a moment is told from now in the largest unit that says enough", (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: Date.parse("2026-05-18T12:00:00Z") });
  const said = ["11:59:31", "12:00:00", "12:01:20", "11:50:00", "07:00:00"].map((time) => fromNow(`2026-05-18T${time}Z`));
  assert.deepEqual(said, ["29 seconds ago", "now", "in 80 seconds", "10 minutes ago", "5 hours ago"]);
  assert.equal(fromNow("2026-05-17T11:00:00.123456789Z[UTC]"), "25 hours ago");
  assert.deepEqual([fromNow("2026-05-18T13:29:00Z"), fromNow("2026-05-18T13:31:00Z"), fromNow("2026-05-15T12:00:00Z")], ["in 89 minutes", "in 2 hours", "3 days ago"]);
});

test("an instant can be read from what Neo4j writes", () => {
  assert.doesNotMatch(instant("2026-05-18T14:30:00.123456789+02:00[Europe/Berlin]"), /Invalid/);
});
