// The text of a turn, word for word, with the lines that name calls of tools folded.

import { el } from "./dom.js";
import { count } from "./numbers.js";

const CALL = /^\[[\p{L}_][\p{L}\p{N}_.:-]*(?: .*)?\]$/u; // as [Bash: make test]
const CALLERS = ["assistant", "subagent"];

export function turnText(text, speaker) {
  if (!CALLERS.includes(speaker)) return [el("pre", { class: "text" }, text)];
  const parts = [];
  for (const line of text.split("\n")) {
    const calls = CALL.test(line) && !line.startsWith("[masked: ");
    const last = parts.at(-1);
    if (last?.calls === calls || (last?.calls && line === "")) last.lines.push(line);
    else parts.push({ calls, lines: [line] });
  }
  return parts.map(({ calls, lines }) => {
    const written = el("pre", { class: calls ? "text code" : "text" }, lines.join("\n"));
    if (!calls) return written;
    return el("details", { class: "calls" }, el("summary", {}, count(lines.filter(Boolean).length, "call of a tool", "calls of tools")), written);
  });
}
