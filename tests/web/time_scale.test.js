import assert from "node:assert/strict";
import { test } from "node:test";
import { TimeScale } from "../../src/graphpalace/serve/web/js/time_scale.js";

process.env.TZ = "Europe/Berlin";

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const NOON = Date.parse("2026-03-28T12:00:00+01:00");
const SPANS = [0, 10, 60, 200, 700, 1440, 4000, 20_000, 60_000, 600_000, 6_000_000, 60_000_000].map((minutes) => minutes * MINUTE);
const labels = (from, to, most) => new TimeScale(Date.parse(from), Date.parse(to)).ticks(most).map(({ label }) => label);

test("a place is a share of the width", () => {
  const scale = new TimeScale(0, 10 * DAY);
  assert.deepEqual([scale.place(0), scale.place(5 * DAY), scale.place(new Date(10 * DAY)), scale.place(-DAY)], [0, 0.5, 1, -0.1]);
});

test("a moment becomes an hour around it", () => {
  const scale = new TimeScale(NOON, NOON);
  assert.deepEqual([scale.from, scale.to], [NOON - 30 * MINUTE, NOON + 30 * MINUTE]);
});

test("the ticks of any span are few, in order, inside, and their periods join without a gap", () => {
  for (const span of SPANS) {
    for (const most of [2, 5, 12]) {
      const ticks = new TimeScale(NOON, NOON + span).ticks(most);
      assert.ok(ticks.length <= most + 1, `${ticks.length} ticks for ${span}`);
      ticks.forEach(({ at, label, since, until }, index) => {
        assert.ok(at >= 0 && at <= 1 && until > since && label !== "", `${label} of ${span}`);
        if (index > 0) assert.deepEqual(since, ticks[index - 1].until);
      });
    }
  }
});

test("labels say what differs from the one before", () => {
  assert.deepEqual(labels("2024-12-30T10:00+01:00", "2025-01-03T10:00+01:00", 5), ["31 Dec 2024", "1 Jan", "2 Jan", "3 Jan"]);
  assert.deepEqual(labels("2025-11-20T00:00+01:00", "2026-02-20T00:00+01:00", 5), ["Dec 2025", "Jan 2026", "Feb"]);
  assert.deepEqual(labels("1999-06-01T00:00+02:00", "2031-06-01T00:00+02:00", 4), ["2000", "2010", "2020", "2030"]);
});

test("the hour that a day has twice is one period, and the hours stay whole", () => {
  const ticks = new TimeScale(Date.parse("2026-10-25T00:00+02:00"), Date.parse("2026-10-25T06:00+01:00")).ticks(8);
  assert.deepEqual(ticks.map(({ since }) => since.toISOString().slice(11, 16)), ["22:00", "23:00", "00:00", "02:00", "03:00", "04:00", "05:00"]);
});

test("days stay days where clocks are changed", () => {
  const ticks = new TimeScale(NOON, NOON + 4 * DAY).ticks(5);
  assert.deepEqual(ticks.map(({ since }) => since.getHours()), [0, 0, 0, 0]);
});

test("weeks begin on Monday", () => {
  const ticks = new TimeScale(NOON, NOON + 40 * DAY).ticks(7);
  assert.ok(ticks.length >= 5);
  for (const { since } of ticks) assert.equal(since.getDay(), 1);
});
