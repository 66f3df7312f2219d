// The clock of the palace and its decay: the last run, the next run, and the service that is running it.

import { post } from "./api.js";
import { el, replace } from "./dom.js";
import { count, fromNow, instant } from "./numbers.js";
import { named, namedValues } from "./tables.js";

export function decayPanel(status, { palace, ran }) {
  const said = el("p", { class: "quiet", role: "status" });
  const button = el("button", { type: "button" }, "Run the decay now");
  button.addEventListener("click", async () => {
    button.disabled = true;
    replace(said, "Running…");
    try {
      const run = await post("/v1/decay", { palace });
      replace(said, `Updated ${count(run.nodes, "node")} and ${count(run.edges, "edge")} to cycle ${run.cycle}.`);
      ran();
    } catch (error) {
      replace(said, error.message);
    }
    button.disabled = false;
  });
  const last = status.last_run;
  const [state, text] = stateOf(status);
  return [
    el("p", { class: `decay-state ${state}` }, text),
    namedValues(
      named("Clock", `cycle ${status.cycle}, one every ${length(status.cycle_seconds)}`),
      named("Last run", last ? `cycle ${last.cycle}, ${fromNow(last.finished_at)}` : "none yet", { title: last && instant(last.finished_at) }),
      last && named("Changed", `${count(last.nodes, "node")}, ${count(last.edges, "edge")}, in ${last.seconds.toFixed(2)} s`),
      named("Next run", `cycle ${status.next_cycle}, ${fromNow(status.next_run_at)}`, { title: instant(status.next_run_at) }),
      named("Warm", `${count(status.warm_nodes, "node")}, ${count(status.warm_edges, "edge")}`),
    ),
    el("div", { class: "actions" }, button, said),
  ];
}

function stateOf({ running_by: by, cycle, next_cycle: next, last_run: last }) {
  if (by) return ["busy", `Running now on ${by.split("/")[0]}.`];
  const interval = last ? next - last.cycle : next;
  if (cycle >= next + interval) return ["late", `Overdue since cycle ${next}. No decay service seems to be running.`];
  if (cycle >= next) return ["busy", "Due now."];
  return ["fine", "On time."];
}

const length = (seconds) => (seconds % 3600 === 0 ? count(seconds / 3600, "hour") : seconds % 60 === 0 ? count(seconds / 60, "minute") : count(seconds, "second"));
