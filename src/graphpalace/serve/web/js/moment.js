// Times in the zone of the viewer, with the whole time on hover.

import { el } from "./dom.js";
import { fromNow } from "./numbers.js";

/** @type {Record<string, Intl.DateTimeFormatOptions>} */
const STYLES = {
  time: { timeStyle: "short" },
  day: { weekday: "short", day: "numeric", month: "long", year: "numeric" },
  both: { dateStyle: "medium", timeStyle: "short" },
};
/** @type {Intl.DateTimeFormatOptions} */
const WHOLE = { dateStyle: "full", timeStyle: "long" };

/**
 * Milliseconds since 1970. Neo4j writes nanoseconds and the name of the zone, which browsers do not read.
 * @param {string | null} [text]
 */
export function parsed(text) {
  const at = text ? Date.parse(text.replace(/(\.\d{3})\d+/, "$1").replace(/\[.*\]$/, "")) : NaN;
  return Number.isNaN(at) ? null : at;
}

/** @type {(at: number | Date, style: "time" | "day" | "both") => string} */
export const written = (at, style) => new Date(at).toLocaleString("en-GB", STYLES[style]);

/**
 * @param {string | null | undefined} text
 * @param {"time" | "day" | "both" | "ago"} style
 */
export function moment(text, style = "both") {
  const at = parsed(text);
  if (!text || at === null) return el("span", {}, text || "at an unknown time");
  const said = style === "ago" ? fromNow(text) : written(at, style);
  return el("time", { datetime: new Date(at).toISOString(), title: new Date(at).toLocaleString("en-GB", WHOLE) }, said);
}
