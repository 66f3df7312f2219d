// Says that one drawer took the place of another, and takes that back.

import { post, remove } from "./api.js";

/** @type {(old: string) => string} */
const path = (old) => `/v1/drawers/${encodeURIComponent(old)}/superseded`;

/** @type {(old: string, by: string, palace: string | null) => Promise<any>} */
export const supersede = (old, by, palace) => post(path(old), { palace, new: by });

/** @type {(old: string, palace: string | null) => Promise<any>} */
export const restore = (old, palace) => remove(path(old), { palace });
