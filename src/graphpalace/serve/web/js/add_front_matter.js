// The front matter of a Markdown note: its title and tags, and whether it says anything else.

const FRONT = /^---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const KNOWN = new Set(["title", "tags", "date", "aliases"]);

/**
 * @param {string} text
 * @returns {{ end: number, title: string | null, tags: string[], saysMore: boolean }} end: where the note begins
 */
export function frontMatter(text) {
  const found = FRONT.exec(text);
  if (!found) return { end: 0, title: null, tags: [], saysMore: false };
  const values = valuesOf(found[1].split(/\r?\n/));
  return {
    end: found[0].length,
    title: values.get("title")?.join(" ") || null,
    tags: (values.get("tags") ?? []).map((tag) => tag.replace(/^#/, "")),
    saysMore: [...values.keys()].some((name) => !KNOWN.has(name)),
  };
}

// The values by their names: `name: value`, `name: [one, two]`, or lines with `- value` below the name.
function valuesOf(lines) {
  /** @type {Map<string, string[]>} */
  const values = new Map();
  let name = "";
  for (const line of lines) {
    const item = /^\s*-\s+(.+?)\s*$/.exec(line);
    const pair = /^([\w-]+):\s*(.*?)\s*$/.exec(line);
    if (item && name !== "") values.get(name)?.push(unquoted(item[1]));
    if (!pair) continue;
    name = pair[1].toLowerCase();
    const list = /^\[(.*)\]$/.exec(pair[2])?.[1] ?? (name === "tags" ? pair[2] : null);
    values.set(name, (list === null ? [pair[2]] : list.split(",")).map((one) => unquoted(one.trim())).filter(Boolean));
  }
  return values;
}

const unquoted = (text) => text.replace(/^(["'])(.*)\1$/, "$2");
