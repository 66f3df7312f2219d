// Reads a drawer with its whole text, for what shows it.

import { get } from "./api.js";
import { isMarkdown } from "./markdown.js";

const CODE = /\.(py|js|ts|tsx|go|rs|java|c|h|cpp|cypher|sh|toml|json|ya?ml|css)$/i;

/** @type {(uri: string) => boolean} */
export const isCode = (uri) => CODE.test(uri);

/**
 * With `run`, the service counts that an answer was opened.
 * @param {string} id
 * @param {{ palace: string | null, run?: string, judgements?: import("./judgements.js").Judgements, judged?: () => void }} answer
 */
export async function drawerText(id, { palace, run, judgements, judged }) {
  const drawer = await get(`/v1/drawers/${encodeURIComponent(id)}`, { palace, run });
  return {
    title: drawer.closet,
    place: `${drawer.wing} › ${drawer.room} · ${drawer.source_uri} ${lines(drawer)}`,
    text: drawer.text,
    code: isCode(drawer.source_uri),
    markdown: isMarkdown(drawer.source_uri),
    drawer,
    palace,
    judgements,
    judged,
    note: drawer.counted ? "Opening an answer counts as a weak sign that it helped." : null,
  };
}

/** @param {{ start_line?: number | null, end_line?: number | null }} source */
export function lines({ start_line: from, end_line: to }) {
  return from ? (from === to ? `line ${from}` : `lines ${from}–${to}`) : "";
}
