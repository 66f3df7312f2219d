// Connects the parts of the page: the view named by the hash of the address, the chosen palace, the connection.

import { AddView } from "./add_view.js";
import { get } from "./api.js";
import { connection } from "./connection.js";
import { ConversationsView } from "./conversations_view.js";
import { DiaryView } from "./diary_view.js";
import { el, options } from "./dom.js";
import { DrawerView } from "./drawer_view.js";
import { GraphView } from "./graph_view.js";
import { failed, waiting } from "./message.js";
import { NamesView } from "./names_view.js";
import { PalaceView } from "./palace_view.js";
import { SearchView } from "./search_view.js";
import { ServiceView } from "./service_view.js";
import { SwarmView } from "./swarm_view.js";

const PALACE = "graphpalace.palace";
const TITLES = { search: "Search", add: "Add", names: "Names", conversations: "Conversations", diaries: "Diaries", graph: "Graph", palace: "Palace", swarm: "Swarm", service: "Service", drawer: "Drawer" };

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const choice = /** @type {HTMLSelectElement} */ (document.getElementById("palace"));
const line = /** @type {HTMLElement} */ (document.getElementById("connection"));

const state = /** @type {Text} */ (line.firstChild);
const again = line.appendChild(el("span", { "aria-hidden": "true" }));

const app = { palace: /** @type {string | null} */ (null) };
const views = {
  search: new SearchView(app),
  add: new AddView(app),
  names: new NamesView(app),
  conversations: new ConversationsView(app),
  diaries: new DiaryView(app),
  graph: new GraphView(app),
  palace: new PalaceView(app),
  swarm: new SwarmView(app),
  service: new ServiceView(app),
  drawer: new DrawerView(app),
};
/** @type {(typeof views)[keyof typeof views] | null} */
let shown = null;

function place() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  return { name: /** @type {keyof typeof views} */ (path in views ? path : "search"), params: new URLSearchParams(query) };
}

function show() {
  if (app.palace === null) return;
  const { name, params } = place();
  follow(params.get("palace"));
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

/**
 * Chooses the palace that a link names.
 * @param {string | null} palace
 */
function follow(palace) {
  const known = [...choice.options].some((one) => one.value === palace);
  if (palace === null || palace === app.palace || !known) return;
  choice.value = palace;
  app.palace = palace;
  const { name } = place();
  for (const [other, view] of Object.entries(views)) if (other !== name) view.forget();
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
