// The files that were dropped or chosen, also those in folders, each with its path below what was dropped.

/**
 * Must be called while the event is handled: later, a browser no longer tells what was dropped.
 * @param {DataTransfer} dropped
 * @returns {Promise<File[]>}
 */
export async function filesOf(dropped) {
  const entries = Array.from(dropped.items, (item) => item.webkitGetAsEntry?.()).filter((entry) => entry !== null && entry !== undefined);
  if (entries.length === 0) return [...dropped.files];
  return (await Promise.all(entries.map((entry) => within(entry)))).flat();
}

/**
 * @param {any} entry
 * @returns {Promise<File[]>}
 */
async function within(entry) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => {
      entry.file(resolve, reject);
    });
    return [Object.assign(file, { path: entry.fullPath.replace(/^\//, "") })];
  }
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (some.length === 0) break;
    for (const one of some) found.push(...(await within(one)));
  }
  return found;
}
