// Reads a file in the browser, and makes of it a document as the service takes it. Only texts can be read here.

import { frontMatter } from "./add_front_matter.js";
import { passages, titleOf } from "./add_passages.js";
import { isMarkdown } from "./markdown.js";

const MOST_BYTES = 16 * 2 ** 20;
const EDITION = "page 1"; // another one lets unchanged files be cut again
const MEDIA_TYPES = { css: "text/css", csv: "text/csv", json: "application/json", md: "text/markdown", markdown: "text/markdown", sql: "application/sql", toml: "application/toml", tsv: "text/tab-separated-values", xml: "application/xml", yaml: "application/yaml", yml: "application/yaml" };
// Formats that the command reads, and what people call a file of each.
const READ_BY_COMMAND = { docx: "a Word document", eml: "a mail", emlx: "a mail", htm: "a web page", html: "a web page", ipynb: "a notebook", jsonl: "a list of records", mbox: "a mailbox", mbx: "a mailbox", ndjson: "a list of records", pdf: "a PDF", xhtml: "a web page" };

// A file that cannot be stored from here, with the reason.
export class Refused extends Error {}

/** @param {File & { path?: string }} file */
export const pathOf = (file) => file.path || file.webkitRelativePath || file.name;

/**
 * @param {File & { path?: string }} file
 * @param {{ max_chars: number, exclude_dirs: string[] }} plan as the service gives it
 */
export async function documentOf(file, plan) {
  const path = pathOf(file);
  const folders = path.split("/").slice(0, -1);
  if (folders.some((folder) => folder.startsWith(".") || plan.exclude_dirs.includes(folder))) throw new Refused("It lies in a folder that an ingest leaves out.");
  const suffix = file.name.includes(".") ? (file.name.split(".").at(-1) ?? "").toLowerCase() : "";
  const kind = READ_BY_COMMAND[suffix];
  if (kind) throw new Refused(`${file.name} is ${kind}, which only the command can read: graphpalace ingest ${quoted(file.name)}`);
  if (file.size > MOST_BYTES) throw new Refused(`${file.name} has ${bytes(file.size)}; the page takes at most ${bytes(MOST_BYTES)}: graphpalace ingest ${quoted(file.name)}`);
  const data = await file.arrayBuffer();
  const text = decoded(data, file.name);
  const markdown = isMarkdown(file.name);
  const found = passages(text, { mostChars: plan.max_chars, markdown });
  if (found.length === 0) throw new Refused(`${file.name} has no text.`);
  return {
    uri: `stdin:${path}`,
    title: ((markdown && titleOf(text)) || file.name).replace(/\s+/g, " ").slice(0, 1000),
    media_type: MEDIA_TYPES[suffix] ?? "text/plain",
    content_hash: await hashOf(data, `${EDITION} ${plan.max_chars}`),
    folders: folders.slice(1), // the first one is the folder that was dropped
    tags: markdown ? frontMatter(text).tags : [],
    passages: found,
  };
}

/**
 * @param {ArrayBuffer} data
 * @param {string} name
 */
function decoded(data, name) {
  const [first, second] = new Uint8Array(data, 0, Math.min(2, data.byteLength));
  const wide = first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : null;
  let text;
  try {
    text = new TextDecoder(wide ?? "utf-8", { fatal: true }).decode(data);
  } catch {
    throw new Refused(`${name} is not a text in UTF-8, so the page cannot read it.`);
  }
  if (text.includes("\0")) throw new Refused(`${name} is not a text, so the page cannot read it.`);
  return text;
}

/**
 * What changes with the content. Only pages of a safe origin may use the browser's own hashes.
 * @param {ArrayBuffer} data
 * @param {string} how
 */
async function hashOf(data, how) {
  const before = new TextEncoder().encode(`${how}\0`);
  const all = new Uint8Array(before.length + data.byteLength);
  all.set(before);
  all.set(new Uint8Array(data), before.length);
  if (crypto.subtle) return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", all)).slice(0, 16));
  const sums = new Uint32Array([0x811c9dc5, 0x9747b28c, 0x85ebca6b, 0xc2b2ae35]);
  for (const byte of all) for (let at = 0; at < sums.length; at += 1) sums[at] = Math.imul(sums[at] ^ byte, 0x01000193 + 2 * at);
  return hex(new Uint8Array(sums.buffer));
}

const hex = (numbers) => Array.from(numbers, (one) => one.toString(16).padStart(2, "0")).join("");

const bytes = (number) => `${Math.ceil(number / 2 ** 20)} MiB`;

const quoted = (name) => (/^[\w.+-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`);
