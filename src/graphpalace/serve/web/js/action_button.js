// A button that cannot be pressed again while what it started is going on.

import { el } from "./dom.js";

/**
 * @param {string} label
 * @param {() => Promise<unknown> | void} act
 * @param {import("./dom.js").Props} [props]
 */
export function actionButton(label, act, props = {}) {
  const button = el("button", { type: "button", ...props }, label);
  button.addEventListener("click", () => whileDisabled(button, act));
  return button;
}

/**
 * @param {HTMLButtonElement} button
 * @param {() => Promise<unknown> | void} act
 */
export async function whileDisabled(button, act) {
  button.disabled = true;
  try {
    await act();
  } finally {
    button.disabled = false;
  }
}
