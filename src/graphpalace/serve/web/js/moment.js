// Times in the zone of the viewer, with the whole time on hover.

import { el } from "./dom.js";
import { fromNow } from "./numbers.js";

const STYLES = {
  time: { timeStyle: "short" },
  day: { weekday: "short", day: "numeric", month: "long", year: "numeric" },
  both: { dateStyle: "medium", timeStyle: "short" },
};
const WHOLE = { dateStyle: "full", timeStyle: "long" };

// Neo4j writes nanoseconds and the name of the zone, which browsers do not read.
export function parsed(text) {
  const at = text ? Date.parse(text.replace(/(\.\d{3})\d+/, "$1").replace(/\[.*\]$/, "")) : NaN;
  return Number.isNaN(at) ? null : at;
}

export const written = (at, style) => new Date(at).toLocaleString("en-GB", STYLES[style]);

// `style` is time, day, both or ago.
export function moment(text, style = "both") {
  const at = parsed(text);
  if (at === null) return el("span", {}, text || "at an unknown time");
  const said = style === "ago" ? fromNow(text) : written(at, style);
  return el("time", { datetime: new Date(at).toISOString(), title: new Date(at).toLocaleString("en-GB", WHOLE) }, said);
}
