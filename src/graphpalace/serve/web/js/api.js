// Requests to the service. Failures become errors with a message; the API key is asked for when the service needs it.

import { connection } from "./connection.js";
import { askForKey } from "./key_dialog.js";

const KEY = "graphpalace.key";
const AWAY = { code: "AWAY", message: "The service does not answer. This page will keep trying." };

/** @typedef {Record<string, any>} Params A list is sent as several values of one name; undefined and "" are left out. */

export class ApiError extends Error {
  /**
   * @param {number} status 0 if the service did not answer
   * @param {{ code: string, message: string, detail?: any }} failure
   */
  constructor(status, { code, message, detail }) {
    super(message);
    this.status = status;
    this.code = code;
    this.detail = detail;
  }

  /**
   * The messages by field, for the fields that the service named.
   * @returns {Record<string, string>}
   */
  get fields() {
    const { detail, message } = this;
    if (Array.isArray(detail)) return Object.fromEntries(detail.map((one) => [one.field.split(".").at(-1), one.problem]));
    const names = detail?.fields ?? (detail?.field ? [detail.field] : []);
    const own = (name) => message.split(/; (?=\w+ (?:is|has) )/).filter((part) => part.startsWith(`${name} `)).join("; ");
    return Object.fromEntries(names.map((name) => [name, own(name) || message]));
  }
}

export const key = {
  get: () => sessionStorage.getItem(KEY),
  set: (/** @type {string} */ value) => sessionStorage.setItem(KEY, value),
};

/** @type {(path: string, params?: Params) => Promise<any>} */
export const get = (path, params) => request("GET", path, { params });
/** @type {(path: string, body?: object, params?: Params) => Promise<any>} */
export const post = (path, body = {}, params) => request("POST", path, { body, params });
/** @type {(path: string, body: object) => Promise<any>} */
export const change = (path, body) => request("PATCH", path, { body });
/** @type {(path: string, params?: Params) => Promise<any>} */
export const remove = (path, params) => request("DELETE", path, { params });

/**
 * Posts, and yields the lines of JSON with which the service tells what it has done so far.
 * @param {string} path
 * @param {object} body
 * @returns {AsyncGenerator<any>}
 */
export async function* lines(path, body) {
  const response = await answer("POST", path, { body });
  const reader = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (response.body).pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value = "", done } = await reader.read().catch(() => {
      throw new ApiError(0, AWAY);
    });
    const whole = (rest + value).split("\n");
    rest = whole.pop() ?? "";
    for (const line of whole) yield said(line);
    if (done) return;
  }
}

/** @param {string} line */
function said(line) {
  const value = JSON.parse(line);
  if (value.error) throw new ApiError(500, value.error);
  return value;
}

/**
 * @param {string} method
 * @param {string} path
 * @param {{ params?: Params, body?: object }} what
 * @returns {Promise<any>}
 */
async function request(method, path, what) {
  const response = await answer(method, path, what);
  return response.status === 204 ? null : response.json();
}

/**
 * The answer of the service, if it did what was asked.
 * @param {string} method
 * @param {string} path
 * @param {{ params?: Params, body?: object }} what
 * @returns {Promise<Response>}
 */
async function answer(method, path, { params = {}, body }) {
  const url = new URL(path, location.origin);
  for (const [name, value] of Object.entries(params)) for (const one of [value].flat()) if (one !== undefined && one !== "") url.searchParams.append(name, one);
  const used = key.get();
  /** @type {Record<string, string>} */
  const headers = used ? { Authorization: `Bearer ${used}` } : {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    connection.lost("the service cannot be reached");
    throw new ApiError(0, AWAY);
  }
  if (response.status === 401) {
    if (key.get() === used) key.set(await askForKey(used !== null));
    return answer(method, path, { params, body });
  }
  if (response.ok) {
    connection.found();
    return response;
  }
  const failure = (await response.json().catch(() => ({}))).error;
  const error = new ApiError(response.status, failure ?? { code: "UNKNOWN", message: `the service answered ${response.status}` });
  if (error.code === "DATABASE_UNAVAILABLE") connection.lost("the database cannot be reached");
  throw error;
}
