// Numbers, times and states as people read them.

export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

export function decimal(value, digits = 2) {
  return value === 0 ? "0" : Math.abs(value) < 10 ** -digits ? `< ${10 ** -digits}` : value.toFixed(digits);
}

export function signed(value, digits = 3) {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`;
}

export function percent(share) {
  return `${Math.round(share * 100)} %`;
}

// A time of a fact: only its day, if it is the start of one.
export function day(text) {
  const whole = text.match(/^\d{4}-\d{2}-\d{2}(?:T00:00(?::00(?:\.0+)?)?(?:Z|\+00:00)?)?$/);
  const at = new Date(text.replace(/(\.\d{3})\d+/, "$1").replace(/\[.*\]$/, ""));
  if (Number.isNaN(at.getTime())) return text;
  return at.toLocaleString("en-GB", whole ? { dateStyle: "long", timeZone: "UTC" } : { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
}

export function instant(text) {
  const at = new Date(text.replace(/(\.\d{3})\d+/, "$1").replace(/\[.*\]$/, ""));
  return at.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

export function fromNow(text) {
  const seconds = (new Date(text.replace(/(\.\d{3})\d+/, "$1").replace(/\[.*\]$/, "")) - Date.now()) / 1000;
  const size = Math.abs(seconds);
  const [amount, unit] =
    size < 90 ? [seconds, "second"] : size < 5400 ? [seconds / 60, "minute"] : size < 129600 ? [seconds / 3600, "hour"] : [seconds / 86400, "day"];
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(Math.round(amount), unit);
}
