// Connects the parts of the page: the view named by the hash of the address, the chosen palace, the connection.

import { get } from "./api.js";
import { connection } from "./connection.js";
import { ConversationsView } from "./conversations_view.js";
import { el, options } from "./dom.js";
import { failed, waiting } from "./message.js";
import { NamesView } from "./names_view.js";
import { PalaceView } from "./palace_view.js";
import { SearchView } from "./search_view.js";
import { SwarmView } from "./swarm_view.js";

const PALACE = "graphpalace.palace";
const TITLES = { search: "Search", names: "Names", conversations: "Conversations", palace: "Palace", swarm: "Swarm" };

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const choice = /** @type {HTMLSelectElement} */ (document.getElementById("palace"));
const line = /** @type {HTMLElement} */ (document.getElementById("connection"));

const state = /** @type {Text} */ (line.firstChild);
const again = line.appendChild(el("span", { "aria-hidden": "true" }));

const app = { palace: /** @type {string | null} */ (null) };
const views = { search: new SearchView(app), names: new NamesView(app), conversations: new ConversationsView(app), palace: new PalaceView(app), swarm: new SwarmView(app) };
/** @type {(typeof views)[keyof typeof views] | null} */
let shown = null;

function place() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  return { name: /** @type {keyof typeof views} */ (path in views ? path : "search"), params: new URLSearchParams(query) };
}

function show() {
  if (app.palace === null) return;
  const { name, params } = place();
  if (shown !== views[name]) {
    shown?.hide();
    shown = views[name];
    main.replaceChildren(shown.element);
    document.title = `${TITLES[name]} – GraphPalace`;
    for (const link of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("nav a"))) {
      if (link.dataset.view === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }
  shown.show(params);
}

async function load() {
  let palaces;
  try {
    palaces = await get("/v1/palaces");
  } catch (error) {
    if (app.palace === null) main.replaceChildren(failed(error, load));
    return;
  }
  const names = palaces.map((palace) => palace.name);
  const wanted = app.palace ?? localStorage.getItem(PALACE) ?? "main";
  app.palace = names.includes(wanted) ? wanted : names[0];
  options(choice, names.map((name) => [name, name]), app.palace);
  show();
}

choice.addEventListener("change", () => {
  app.palace = choice.value;
  localStorage.setItem(PALACE, app.palace);
  for (const view of Object.values(views)) view.forget();
  show();
});
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault(); // the hash of the address names the view
  main.focus();
});
addEventListener("hashchange", show);
connection.addEventListener("back", async () => {
  await load();
  shown?.back();
});
connection.addEventListener("changed", (/** @type {CustomEventInit} */ { detail }) => {
  line.dataset.state = detail.state;
  if (state.data !== detail.text) state.data = detail.text;
  again.textContent = detail.again && `, ${detail.again}`;
  if (detail.state === "connected" && app.palace === null) load();
});
main.replaceChildren(waiting("Connecting to the service…"));
connection.start();
