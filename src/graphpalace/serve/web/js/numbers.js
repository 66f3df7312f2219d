// Numbers, times and states as people read them.

/**
 * @param {number} number
 * @param {string} one
 * @param {string} [many]
 */
export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/**
 * @param {number} value
 * @param {number} [digits]
 */
export function decimal(value, digits = 2) {
  return value === 0 ? "0" : Math.abs(value) < 10 ** -digits ? `< ${10 ** -digits}` : value.toFixed(digits);
}

/**
 * @param {number} value
 * @param {number} [digits]
 */
export function signed(value, digits = 3) {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`;
}

/** @param {number} share */
export function percent(share) {
  return `${Math.round(share * 100)} %`;
}

// Neo4j writes nanoseconds and the name of the zone, which browsers do not read.
const date = (/** @type {string} */ text) => new Date(text.replace(/(\.\d{3})\d+/, "$1").replace(/\[.*\]$/, ""));

/**
 * A time of a fact: only its day, if it is the start of one.
 * @param {string} text
 */
export function day(text) {
  const whole = text.match(/^\d{4}-\d{2}-\d{2}(?:T00:00(?::00(?:\.0+)?)?(?:Z|\+00:00)?)?$/);
  const at = date(text);
  if (Number.isNaN(at.getTime())) return text;
  return at.toLocaleString("en-GB", whole ? { dateStyle: "long", timeZone: "UTC" } : { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
}

/** @param {string} text */
export function instant(text) {
  return date(text).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** @param {string} text */
export function fromNow(text) {
  const seconds = (date(text).getTime() - Date.now()) / 1000;
  const size = Math.abs(seconds);
  /** @type {[number, Intl.RelativeTimeFormatUnit]} */
  const [amount, unit] =
    size < 90 ? [seconds, "second"] : size < 5400 ? [seconds / 60, "minute"] : size < 129600 ? [seconds / 3600, "hour"] : [seconds / 86400, "day"];
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(Math.round(amount), unit);
}
