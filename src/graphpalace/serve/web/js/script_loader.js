// Loads scripts of libraries, which are no modules, when they are first needed.

import { el } from "./dom.js";

const loading = new Map();

// The scripts are loaded one after the other; a second call waits for the first. `name` is for people.
export function loaded(name, sources) {
  if (!loading.has(name)) {
    const all = sources.reduce((before, src) => before.then(() => load(src, name)), Promise.resolve());
    loading.set(name, all);
    all.catch(() => loading.delete(name));
  }
  return loading.get(name);
}

function load(src, name) {
  return /** @type {Promise<void>} */ (new Promise((resolve, reject) => {
    const script = el("script", { src });
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => {
      script.remove();
      reject(new Error(`${name} could not be loaded from the service.`));
    });
    document.head.append(script);
  }));
}
