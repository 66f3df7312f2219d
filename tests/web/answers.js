// An answer of a search as the service sends it, with what a test wants to be different.

/** A hit that both words and meaning found. */
export const hit = (more = {}) => ({
  id: "drawer-1", text: "The harbour was closed in May.", score: 0.8125, wing: "notes", room: "sea", closet: "harbour.txt",
  lanes: { fulltext: { rank: 1, score: 7.25, share: 0.75 }, semantic: { rank: null, score: 0.5, share: 0.25 } },
  source: { uri: "file:///harbour.txt", start_line: 3, end_line: 9 },
  path: [
    { id: "p", kind: "Palace", name: "main" }, { id: "w", kind: "Wing", name: "notes" }, { id: "r", kind: "Room", name: "sea" },
    { id: "c", kind: "Closet", name: "harbour.txt" }, { id: "drawer-1", kind: "Drawer", name: "3–9" },
  ],
  trail: [], also_at: [], taught: null, importance: null, outdated: null, pointing: null, timely: null, reranked: null,
  newer: null, news_on: null, reply: null, by_name: null, confidence: 0.75,
  ...more,
});

export const answer = (more = {}) => ({ query: "when was the harbour closed", palace: "main", run: "search-1", fits: true, ...more });
