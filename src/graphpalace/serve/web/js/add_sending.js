// Sends files to the service one after the other, and tells what becomes of each.

import { documentOf, pathOf, Refused } from "./add_document.js";
import { lines, post } from "./api.js";

const AGAIN_MS = 1500;
const TRIES = 4; // the service refuses what comes while it is busy

/** @typedef {"reading" | "stored" | "unchanged" | "refused"} FileState */

/**
 * @param {(File & { path?: string })[]} files
 * @param {{ palace: string | null, wing: string, stopped: () => boolean }} how
 * @returns {AsyncGenerator<{ at: number, state: FileState, reason?: string, drawers?: number }>}
 */
export async function* sent(files, { palace, wing, stopped }) {
  const plan = await post("/v1/ingest/plan", { palace, wing });
  const known = new Map(plan.sources.map(({ uri, mark }) => [uri, mark]));
  const request = { palace, wing, seen: { folders: countsOf(files) } };
  let any = false;
  for (const [at, file] of files.entries()) {
    if (stopped()) break;
    yield { at, state: "reading" };
    try {
      const document = await documentOf(file, plan);
      if (known.get(document.uri) === `${document.content_hash}-${plan.rooms}`) yield { at, state: "unchanged" };
      else {
        const report = await last({ ...request, documents: [document], last: false });
        any = true;
        yield { at, state: report.documents_unchanged > 0 ? "unchanged" : "stored", drawers: report.drawers_created + report.drawers_kept };
      }
    } catch (error) {
      if (!(error instanceof Refused) && error.status === 0) throw error; // nobody answers: the others would fail too
      yield { at, state: "refused", reason: error.message };
    }
  }
  if (any) await last({ ...request, documents: [], last: true });
}

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
async function last(body, tries = TRIES) {
  try {
    for await (const { done, report } of lines("/v1/ingest/documents", body)) if (done) return report;
  } catch (error) {
    if (error.status !== 503 || tries === 1) throw error;
    await new Promise((resolve) => {
      setTimeout(resolve, AGAIN_MS);
    });
    return last(body, tries - 1);
  }
  throw new Error("The service went away. What is already stored is kept.");
}
