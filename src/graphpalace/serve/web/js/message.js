// Messages that stand in for content: loading, nothing found, or an error.

import { el } from "./dom.js";

export const waiting = (text) => el("p", { class: "empty", "aria-busy": "true" }, text);

export const nothing = (title, ...more) => el("div", { class: "empty" }, el("h2", {}, title), ...more.map((one) => el("p", {}, one)));

export function failed(error, again) {
  return el(
    "div",
    { class: "problem", role: "alert" },
    el("p", {}, error.message),
    again && el("button", { type: "button", onclick: again }, "Try again"),
  );
}
