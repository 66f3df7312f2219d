// Cuts a text into passages that are substrings of it, each with its lines and the headings above it.

import { frontMatter } from "./add_front_matter.js";

/** @typedef {{ text: string, start_line: number, end_line: number, headings: string[] }} Passage */
/** @typedef {{ start: number, end: number, headings: string[], bare?: boolean }} Section */

const NEWLINE = /\r\n|\n|\r/g;
const BREAKS = [/(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)+/g, NEWLINE, /[.!?]\s+/g, /\s+/g];
const TINY = 6; // a passage with less than the sixth part of the most characters does not stand alone
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * @param {string} text
 * @param {{ mostChars: number, markdown: boolean }} how
 * @returns {Passage[]}
 */
export function passages(text, { mostChars, markdown }) {
  const starts = lineStarts(text);
  const front = markdown ? frontMatter(text) : null;
  const above = front?.saysMore ? [{ start: 0, end: front.end, headings: [] }] : [];
  const sections = front ? joined(text, headedSections(text, starts), mostChars) : [{ start: 0, end: text.length, headings: [] }];
  return [...above, ...sections].flatMap(({ start, end, headings }) =>
    spans(text, start, end, mostChars).flatMap((span) => {
      const shown = withoutBlankEnds(text, span);
      return shown ? [{ text: text.slice(shown.start, shown.end), start_line: lineAt(starts, shown.start), end_line: lineAt(starts, shown.end - 1), headings }] : [];
    }),
  );
}

/**
 * The title that a Markdown text gives itself: that of its front matter, or else its first heading.
 * @param {string} text
 * @returns {string | null}
 */
export function titleOf(text) {
  return frontMatter(text).title ?? headedSections(text, lineStarts(text)).find(({ headings }) => headings.length > 0)?.headings.at(-1) ?? null;
}

/** @param {string} text */
function lineStarts(text) {
  return [0, ...Array.from(text.matchAll(NEWLINE), (found) => found.index + found[0].length)];
}

/**
 * The line, counted from 1, that has the character at an offset.
 * @param {number[]} starts
 * @param {number} offset
 */
function lineAt(starts, offset) {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}

/**
 * @param {string} text
 * @param {number[]} starts
 * @returns {Section[]}
 */
function headedSections(text, starts) {
  const body = frontMatter(text).end;
  /** @type {{ level: number, name: string }[]} */
  const above = [];
  /** @type {Section[]} */
  const sections = [{ start: body, end: text.length, headings: [] }];
  let fence = "";
  starts.forEach((start, at) => {
    const end = starts[at + 1] ?? text.length;
    const line = text.slice(start, end).trimEnd();
    const mark = line.match(FENCE)?.[1];
    if (mark && (fence === "" || mark.startsWith(fence))) fence = fence === "" ? mark : "";
    const heading = fence === "" && start >= body ? line.match(HEADING) : null;
    if (!heading) return;
    const level = heading[1].length;
    while (above.length > 0 && (above.at(-1)?.level ?? 0) >= level) above.pop();
    above.push({ level, name: plain(heading[2]) });
    sections[sections.length - 1].end = start;
    sections.push({ start, end: text.length, headings: above.map(({ name }) => name), bare: true });
  });
  for (const section of sections) section.bare = section.bare && text.slice(section.start, section.end).trim().split(NEWLINE).length === 1;
  return sections;
}

// A heading without the marks of Markdown.
const plain = (heading) => heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[*_`]/g, "").trim();

/**
 * Joins tiny neighbours while they fit into one passage, under the headings that they share; a heading alone goes with
 * what stands below it.
 * @param {string} text
 * @param {Section[]} sections
 * @param {number} mostChars
 */
function joined(text, sections, mostChars) {
  const length = ({ start, end }) => text.slice(start, end).trim().length;
  /** @type {Section[]} */
  const kept = [];
  for (const section of sections.filter((one) => length(one) > 0)) {
    const last = kept.at(-1);
    const tiny = last && (last.bare || Math.min(length(last), length(section)) < mostChars / TINY);
    if (last && tiny && section.end - last.start <= mostChars) {
      const headings = last.bare ? section.headings : last.headings.filter((name, at) => section.headings[at] === name);
      kept[kept.length - 1] = { start: last.start, end: section.end, headings, bare: last.bare && section.bare };
    } else kept.push(section);
  }
  return kept;
}

/**
 * @param {string} text
 * @param {number} from
 * @param {number} to
 * @param {number} mostChars
 */
function spans(text, from, to, mostChars) {
  const found = [];
  let start = from;
  while (to - start > mostChars) {
    const end = cut(text, start, mostChars);
    found.push({ start, end });
    start = end;
  }
  return [...found, { start, end: to }];
}

// Where a passage ends: after the last paragraph that fits, or else the last line, sentence or word.
function cut(text, start, mostChars) {
  const part = text.slice(start, start + mostChars);
  for (const mark of BREAKS) {
    const ends = Array.from(part.matchAll(mark), (found) => found.index + found[0].length).filter((end) => end > mostChars / TINY);
    if (ends.length > 0) return start + (ends.at(-1) ?? 0);
  }
  const pair = /[\uD800-\uDBFF]$/.test(part) ? 1 : 0;
  return start + mostChars - pair;
}

/**
 * A span without the blank lines before it and the blanks after it; null if nothing is left.
 * @param {string} text
 * @param {{ start: number, end: number }} span
 */
function withoutBlankEnds(text, { start, end }) {
  const piece = text.slice(start, end);
  const kept = piece.trimEnd();
  if (kept === "") return null;
  const before = kept.match(/^(?:[ \t]*(?:\r\n|\n|\r))*/)?.[0].length ?? 0;
  return { start: start + before, end: start + kept.length };
}
