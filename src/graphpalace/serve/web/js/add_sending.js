// Sends files to the service one after the other, and tells what becomes of each.

import { lines } from "./api.js";
import { count } from "./numbers.js";

const AGAIN_MS = 1500;
const TRIES = 4; // the service refuses what comes while it is busy
const MOST_BYTES = 16 * 2 ** 20; // as base64 and with the rest, it is within what the service takes
const LEFT_OUT = { binary: "It is not a text, and no format that is read.", empty: "It has no text.", "excluded folder": "It lies in a folder that an ingest leaves out.", forgotten: "It was forgotten, so it is not stored again.", "hidden folder": "It lies in a hidden folder.", hidden: "It is hidden.", unsupported: "Its format is not read." };

/** @typedef {"reading" | "stored" | "unchanged" | "refused"} FileState */

/** @param {File & { path?: string }} file */
export const pathOf = (file) => file.path || file.webkitRelativePath || file.name;

/**
 * @param {(File & { path?: string })[]} files
 * @param {{ palace: string | null, wing: string, stopped: () => boolean }} how
 * @returns {AsyncGenerator<{ at: number, state: FileState, reason?: string, drawers?: number }>}
 */
export async function* sent(files, { palace, wing, stopped }) {
  const request = { palace, wing, seen: { folders: countsOf(files) } };
  let any = false;
  for (const [at, file] of files.entries()) {
    if (stopped()) break;
    yield { at, state: "reading" };
    if (file.size > MOST_BYTES) {
      yield { at, state: "refused", reason: `It has ${mebibytes(file.size)}; the page takes at most ${mebibytes(MOST_BYTES)}, and the command more.` };
      continue;
    }
    try {
      const report = await last("/v1/ingest/content", { ...request, path: pathOf(file), content: await base64Of(file), last: false });
      const news = newsOf(report);
      any ||= news.state === "stored";
      yield { at, ...news };
    } catch (error) {
      if (error.status === 0) throw error; // nobody answers: the others would fail too
      yield { at, state: "refused", reason: error.message };
    }
  }
  if (any) await last("/v1/ingest/documents", { ...request, documents: [], last: true });
}

/**
 * What became of a file, from the report about it.
 * @returns {{ state: FileState, reason?: string, drawers?: number }}
 */
export function newsOf({ unreadable, skipped, documents_stored: stored, documents_unchanged: unchanged, drawers_created: created, drawers_kept: kept }) {
  if (stored > 0) return { state: "stored", drawers: created + kept };
  if (unchanged > 0) return { state: "unchanged" };
  const [why] = Object.keys(skipped);
  return { state: "refused", reason: unreadable[0] ?? LEFT_OUT[why] ?? (why ? `It was left out: ${why}.` : "It has no text.") };
}

/** @param {File} file */
async function base64Of(file) {
  const data = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < data.length; at += PART) text += String.fromCharCode(...data.subarray(at, at + PART));
  return btoa(text);
}

const PART = 2 ** 14; // more are too many arguments

const mebibytes = (bytes) => `${count(Math.ceil(bytes / 2 ** 20), "MiB", "MiB")}`;

// How many files there are in each folder below those that were dropped, from which the service makes rooms.
function countsOf(files) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const file of files) {
    const folder = pathOf(file).split("/").slice(1, -1).join("/");
    counts[folder] = (counts[folder] ?? 0) + 1;
  }
  return counts;
}

// The report in the last line of the answer.
async function last(route, body, tries = TRIES) {
  try {
    for await (const { done, report } of lines(route, body)) if (done) return report;
  } catch (error) {
    if (error.status !== 503 || tries === 1) throw error;
    await new Promise((resolve) => {
      setTimeout(resolve, AGAIN_MS);
    });
    return last(route, body, tries - 1);
  }
  throw new Error("The service went away. What is already stored is kept.");
}
