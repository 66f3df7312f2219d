// A bar that is as long as a share says. The number stands beside it, for those who cannot see the bar.

import { el } from "./dom.js";

/**
 * @param {number} share 0 to 1; what is outside is shown as the nearest end
 * @param {string} [kind] the class
 */
export function bar(share, kind = "bar") {
  const full = el("span", {});
  full.style.width = `${Math.max(0, Math.min(1, share)) * 100}%`;
  return el("span", { class: kind, "aria-hidden": "true" }, full);
}
