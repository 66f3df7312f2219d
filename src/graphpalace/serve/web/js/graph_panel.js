// What is known of the chosen node, edge or route, and what can be done with it.

import { el } from "./dom.js";
import { openText } from "./drawer_dialog.js";
import { drawerText } from "./drawer_text.js";
import { nameLink } from "./name_link.js";
import { count, decimal } from "./numbers.js";
import { named, namedValues } from "./tables.js";

const WORDS = { Palace: "palace", Wing: "wing", Room: "room", Closet: "closet, which holds one source", Drawer: "drawer", Entity: "name" };

// `act` has grow, remove, middle, from and to, which take an id.
export function nodePanel(node, { model, palace, act }) {
  const hidden = model.hidden(node.id);
  const button = (label, does, title) => el("button", { type: "button", title, onclick: () => does(node.id) }, label);
  return [
    el("h2", {}, node.name || node.id),
    el("p", { class: "quiet" }, WORDS[node.kind] ?? node.kind, node.edges !== undefined && ` · ${count(node.edges, "edge")}`, hidden > 0 && `, ${hidden} of them not shown`),
    el(
      "div",
      { class: "actions" },
      hidden !== 0 && button("Grow", act.grow, "Show more of its neighbours"),
      button("Only this", act.middle, "Begin again with this node and its neighbours"),
      button("Hide", act.remove, "Take this node out of the picture; the palace keeps it"),
    ),
    el("div", { class: "actions" }, button("Way from here", act.from), button("Way to here", act.to)),
    node.kind === "Drawer" && el("p", {}, el("button", { type: "button", class: "link", onclick: () => openText(() => drawerText(node.id, { palace })) }, "Read the text")),
    node.kind === "Entity" && el("p", {}, nameLink(node.id, "The page of this name")),
    node.exploitation !== undefined && el("h3", {}, "Pheromones now"),
    node.exploitation !== undefined && figures({ exploitation: node.exploitation, exploration: node.exploration }),
  ];
}

export function edgePanel(edge, { model, cycles }) {
  const name = (id) => model.nodes.get(id)?.name || id;
  return [
    el("h2", {}, edge.predicates?.length > 0 ? edge.predicates.join(", ") : edge.type),
    el("p", {}, name(edge.source), el("span", { class: "quiet" }, " → "), name(edge.target)),
    edge.predicates?.length > 0 && el("p", { class: "quiet" }, edge.type),
    el("h3", {}, cycles > 0 ? `After ${count(cycles, "cycle")} without use` : "Pheromones now"),
    figures({ success: edge.success, traversal: edge.traversal, recency: edge.recency }),
    el("h3", {}, "Cost of walking it"),
    figures({ "without trail": edge.base_cost, now: edge.current_cost }, cycles > 0 ? { now: "then" } : {}),
  ];
}

export function routePanel(route, { clear }) {
  return [
    el("h2", {}, `Cheapest way, cost ${decimal(route.cost)}`),
    el(
      "ol",
      { class: "route-steps" },
      el("li", {}, el("span", { class: "kind" }, route.start.kind), " ", route.start.name),
      route.legs.map(({ to, type, cost }) => el("li", {}, el("span", { class: "quiet figure" }, `${type} ${decimal(cost)} → `), el("span", { class: "kind" }, to.kind), " ", to.name)),
    ),
    el("button", { type: "button", onclick: clear }, "Forget this way"),
  ];
}

function figures(values, called = {}) {
  return namedValues(Object.entries(values).map(([name, value]) => named(called[name] ?? name, decimal(value, 3), { class: "figure" })));
}
