// A page without a browser, for modules that build elements: happy-dom has no layout, no colours and no network.

import { Window } from "happy-dom";

const PAGE = "http://palace.test/";
const NAMES = [
  "document", "location", "sessionStorage", "localStorage", "Node", "NodeFilter", "HTMLElement", "EventTarget", "Event", "CustomEvent",
  "KeyboardEvent", "MouseEvent", "ResizeObserver", "matchMedia", "getComputedStyle",
];

export const window = new Window({ url: PAGE, width: 1280, height: 900 });

for (const name of NAMES) {
  const value = typeof window[name] === "function" && !/^[A-Z]/.test(name) ? window[name].bind(window) : window[name];
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
for (const name of ["addEventListener", "removeEventListener", "scrollTo"]) globalThis[name] = window[name].bind(window);

/** Presses a key on an element; returns whether the page has handled it. */
export function press(element, key, more = {}) {
  return !element.dispatchEvent(new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
}

/** The texts of the elements that a selector finds. */
export const texts = (element, selector) => [...element.querySelectorAll(selector)].map((one) => one.textContent);

/**
 * Answers requests like the service: `answer` gets method, path, parameters, body and headers, and returns a status and
 * a body, or throws as if nobody listened. Returns the list of requests.
 */
export function serve(answer) {
  const requests = [];
  globalThis.fetch = async (address, { method = "GET", body, headers = {} } = {}) => {
    const url = new URL(address, PAGE);
    const params = [...url.searchParams];
    const request = { method, path: url.pathname, params, headers, body: body && JSON.parse(body) };
    if (!url.pathname.startsWith("/health/")) requests.push(request);
    const [status, said] = await answer(request);
    return new Response(status === 204 ? null : JSON.stringify(said), { status });
  };
  return requests;
}
