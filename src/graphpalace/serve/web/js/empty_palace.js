// What to do with a palace that has nothing in it yet.

import { el } from "./dom.js";

/** @param {string} title */
export function emptyPalace(title) {
  return el(
    "div",
    { class: "empty" },
    el("h2", {}, title),
    el("p", {}, "A palace keeps texts word for word, and finds them again by what they say. Put something into it:"),
    el(
      "ul",
      { class: "first-steps" },
      el("li", {}, el("a", { href: "#/add" }, "Add a note"), ", a few words that you want to keep."),
      el("li", {}, el("a", { href: "#/add?files" }, "Drop files"), " of your own, such as notes in Markdown."),
      el("li", {}, "Store a whole folder: ", el("code", {}, "graphpalace ingest FOLDER --wing NAME")),
      el("li", {}, "Let an agent file its conversations: ", el("code", {}, "graphpalace install claude-code")),
    ),
  );
}
