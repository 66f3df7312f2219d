// A scale of time from an hour to many years, with ticks at whole hours, days, months or years of the viewer's zone.

const HOUR = 3_600_000;
/** @type {[keyof typeof UNITS, number, number][]} */
const STEPS = [
  ["minute", 10, HOUR / 6], ["minute", 30, HOUR / 2], ["hour", 1, HOUR], ["hour", 3, 3 * HOUR], ["hour", 6, 6 * HOUR], ["hour", 12, 12 * HOUR],
  ["day", 1, 24 * HOUR], ["day", 2, 48 * HOUR], ["day", 7, 168 * HOUR],
  ...[1, 3, 6, 12, 24, 60, 120, 240, 600, 1200].map((months) => /** @type {["month", number, number]} */ (["month", months, months * 30.44 * 24 * HOUR])),
];
const UNITS = {
  minute: (at, by) => new Date(at.getFullYear(), at.getMonth(), at.getDate(), at.getHours(), at.getMinutes() - (at.getMinutes() % by)),
  hour: (at, by) => new Date(at.getFullYear(), at.getMonth(), at.getDate(), at.getHours() - (at.getHours() % by)),
  day: (at, by) => new Date(at.getFullYear(), at.getMonth(), by === 7 ? at.getDate() - ((at.getDay() + 6) % 7) : at.getDate() - ((at.getDate() - 1) % by)),
  month: (at, by) => new Date(at.getFullYear() - (by > 12 ? at.getFullYear() % (by / 12) : 0), by > 12 ? 0 : at.getMonth() - (at.getMonth() % by)),
};
const NEXT = {
  minute: (at, by) => new Date(at.getTime() + by * 60_000),
  hour: (at, by) => new Date(at.getFullYear(), at.getMonth(), at.getDate(), at.getHours() + by),
  day: (at, by) => new Date(at.getFullYear(), at.getMonth(), at.getDate() + by),
  month: (at, by) => new Date(at.getFullYear(), at.getMonth() + by),
};

export class TimeScale {
  /**
   * Less than an hour becomes one.
   * @param {number} from milliseconds since 1970
   * @param {number} to
   */
  constructor(from, to) {
    const room = Math.max(0, HOUR - (to - from)) / 2;
    this.from = from - room;
    this.to = to + room;
  }

  /**
   * Share of the width, 0 to 1 for what is inside.
   * @param {number | Date} at
   */
  place(at) {
    return (Number(at) - this.from) / (this.to - this.from);
  }

  /**
   * At most so many, each with its place, its label and its period.
   * @param {number} most
   */
  ticks(most) {
    const [unit, by] = STEPS.find(([, , length]) => (this.to - this.from) / length <= most) ?? STEPS[STEPS.length - 1];
    const ticks = [];
    let at = UNITS[unit](new Date(this.from), by);
    /** @type {Date | null} */
    let before = null;
    while (Number(at) <= this.to) {
      const next = NEXT[unit](at, by);
      // a day on which clocks are set back has an hour twice
      const following = unit === "day" ? UNITS.day(next, by) > at ? UNITS.day(next, by) : next : next > at ? next : new Date(at.getTime() + HOUR);
      if (Number(at) >= this.from) {
        ticks.push({ at: this.place(at), label: label(at, unit, by, before), since: at, until: following });
        before = at;
      }
      at = following;
    }
    return ticks;
  }
}

function label(at, unit, by, before) {
  if (unit === "month") return by % 12 === 0 ? String(at.getFullYear()) : at.toLocaleDateString("en-GB", { month: "short", year: before?.getFullYear() === at.getFullYear() ? undefined : "numeric" });
  const day = at.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: before === null && at.getFullYear() !== new Date().getFullYear() ? "numeric" : undefined });
  if (unit === "day") return day;
  const time = at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  return before?.toDateString() === at.toDateString() ? time : at.getHours() === 0 && at.getMinutes() === 0 ? day : `${day}, ${time}`;
}
