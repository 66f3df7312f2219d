// Turns Markdown into elements. Unknown syntax stays as written; HTML in a text is shown and never run.

import { el } from "./dom.js";

const FENCE = /^\s*(```|~~~)\s*(\S*)/;
const HEADING = /^\s{0,3}#{1,6}\s+(.*)$/;
const ITEM = /^(\s*)(?:[-*+]|(\d+[.)]))\s+(.*)$/;
const QUOTE = /^\s{0,3}>\s?(.*)$/;
const RULE = /^\s{0,3}(?:-\s*){3,}$|^\s{0,3}(?:\*\s*){3,}$|^\s{0,3}(?:_\s*){3,}$/;
const ROW = /^\s*\|/;
// Code, a picture or link, strong and emphasised words. Marks inside a word do not count. All lengths are bounded, as a
// text that opens thousands of marks and closes none would otherwise hold up the page.
const INLINE = /(`{1,9})(.{1,999}?)\1|!?\[([^\]]{0,999})\]\(\s{0,9}<?([^)\s>]{0,1999})>?(?:\s{1,9}"[^"]{0,999}")?\s{0,9}\)|(?<![\w*])(\*\*|__)(?=\S)(.{1,999}?)(?<=\S)\5(?![\w*])|(?<![\w*_])([*_])(?=\S)(.{1,999}?)(?<=\S)\7(?![\w*_])/g;

/** @type {(uri: string) => boolean} */
export const isMarkdown = (uri) => /\.(md|markdown|mdx)$/i.test(uri);

/**
 * @param {string} text
 * @returns {HTMLElement[]}
 */
export function markdown(text) {
  const lines = text.split(/\r?\n/);
  const blocks = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    const fence = FENCE.exec(line);
    const heading = HEADING.exec(line);
    if (fence) {
      const end = lines.findIndex((one, index) => index > at && one.trim().startsWith(fence[1]));
      const last = end < 0 ? lines.length : end;
      blocks.push(el("pre", { class: "code" }, lines.slice(at + 1, last).join("\n")));
      at = last + 1;
    } else if (heading) {
      blocks.push(el("p", { class: "heading" }, inline(title(heading[1]))));
      at += 1;
    } else if (RULE.test(line)) {
      blocks.push(el("hr"));
      at += 1;
    } else if (line.trim() === "") {
      at += 1;
    } else {
      const kind = [ITEM, QUOTE, ROW].find((one) => one.test(line)) ?? null;
      let end = at + 1;
      while (end < lines.length && belongs(lines[end], kind)) end += 1;
      blocks.push(block(kind, lines.slice(at, end)));
      at = end;
    }
  }
  return blocks;
}

/**
 * The first line of a text as it would be read.
 * @param {string} text
 */
export function firstWords(text) {
  const shown = markdown(text.slice(0, 400)).map((one) => one.textContent.trim()).find((words) => /[\p{L}\p{N}]/u.test(words));
  return (shown ?? text.trim()).split("\n")[0].slice(0, 90);
}

function belongs(line, kind) {
  if (line.trim() === "" || FENCE.test(line) || HEADING.test(line) || RULE.test(line)) return false;
  if (kind === ROW || kind === QUOTE) return kind.test(line);
  return kind === ITEM || ![ITEM, QUOTE, ROW].some((one) => one.test(line));
}

function block(kind, lines) {
  if (kind === ROW) return el("pre", { class: "code" }, lines.join("\n"));
  if (kind === QUOTE) return el("blockquote", {}, inline(lines.map((line) => line.replace(QUOTE, "$1")).join("\n")));
  if (kind === null) return el("p", {}, inline(lines.join("\n")));
  const items = [];
  for (const line of lines) {
    const found = ITEM.exec(line);
    if (found) items.push({ depth: Math.min(4, Math.floor(found[1].length / 2)), mark: found[2] ?? "•", text: found[3] });
    else items.at(-1).text += `\n${line.trim()}`;
  }
  return el("ul", {}, items.map(({ depth, mark, text }) => el("li", { "data-mark": mark, "data-depth": depth }, inline(text))));
}

// A heading without the marks that may close it, which stand apart from its words.
function title(text) {
  const words = text.trimEnd();
  const end = words.lastIndexOf(" ") + 1;
  return /^#+$/.test(words.slice(end)) ? words.slice(0, end).trimEnd() : words;
}

function inline(text) {
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(INLINE)) {
    const [whole, tick, code, label, target, , strong, , soft] = found;
    parts.push(text.slice(from, found.index));
    if (tick) parts.push(el("code", {}, code));
    else if (label !== undefined) parts.push(link(whole, label, target));
    else parts.push(strong ? el("strong", {}, inline(strong)) : el("em", {}, inline(soft)));
    from = found.index + whole.length;
  }
  return [...parts, text.slice(from)].filter((part) => part !== "");
}

function link(whole, label, target) {
  if (whole.startsWith("!") || !/^https?:\/\//i.test(target)) return el("span", { title: target }, label || target);
  return el("a", { href: target, target: "_blank", rel: "noopener noreferrer" }, label || target);
}
