// The work that goes on in the chosen palace: names that are read, the decay, simulations and jobs, and hooks.

import { actionButton } from "./action_button.js";
import { get, lines, post } from "./api.js";
import { decayPanel } from "./decay_panel.js";
import { el, replace } from "./dom.js";
import { failed, waiting } from "./message.js";
import { moment } from "./moment.js";
import { count, percent } from "./numbers.js";

const OVER = new Set(["done", "failed", "cancelled"]);
const JOBS = 10;

export class WorkPart {
  #app;
  #reading = false;
  #names = el("div", { class: "actions" });
  #bar = el("progress", { "aria-label": "Names that are read", hidden: true });
  #said = el("p", { class: "quiet", role: "status" });
  #decay = el("div", { class: "decay" }, waiting("Reading what goes on…"));
  #jobs = el("ul", { class: "rows" });
  #hooks = el("p", { class: "quiet" });

  constructor(app) {
    this.#app = app;
    this.element = el("section", { class: "card column", "aria-label": "Work" }, el("h2", {}, "Work"), el("h3", {}, "Names"), this.#names, this.#bar, this.#said, el("h3", {}, "Decay"), this.#decay, el("h3", {}, "Simulations and jobs"), this.#jobs, el("h3", {}, "Hooks"), this.#hooks);
  }

  async load() {
    const palace = this.#app.palace;
    const [names, decay, jobs, hooks] = await Promise.allSettled([
      get("/v1/names", { palace, limit: 1 }),
      get("/v1/decay", { palace }),
      Promise.all([get("/v1/mcmp/simulations"), get("/v1/mcmp/jobs", { palace })]),
      get("/v1/hooks"),
    ]);
    if (palace !== this.#app.palace) return;
    if (!this.#reading) show(this.#names, names, ({ due }) => this.#due(due));
    show(this.#decay, decay, (status) => decayPanel(status, { palace, ran: () => this.load() }));
    show(this.#jobs, jobs, ([{ simulations }, listed]) => this.#listed(simulations, listed.jobs));
    show(this.#hooks, hooks, ({ unfiled, runs }) => (unfiled > 0 ? `${count(unfiled, "conversation")} being filed, or waiting for the next hook.` : runs.length > 0 ? "No conversation is waiting to be filed." : "No hook ran yet."));
  }

  #due(due) {
    return [el("span", {}, due === 0 ? "All drawers are read." : `${count(due, "drawer")} still to be read.`), due > 0 && actionButton("Read them now", () => this.#read())];
  }

  async #read() {
    this.#reading = true;
    this.#bar.hidden = false;
    replace(this.#said, "Reading the names…");
    try {
      for await (const { reading, done } of lines("/v1/names/build", { palace: this.#app.palace })) {
        this.#bar.max = Math.max(1, reading.read + reading.due);
        this.#bar.value = reading.read;
        if (done) replace(this.#said, `${count(reading.read, "drawer")} read.`);
      }
    } catch (error) {
      replace(this.#said, error.message);
    }
    this.#bar.hidden = true;
    this.#reading = false;
    this.load();
  }

  #listed(simulations, jobs) {
    const here = simulations.filter((one) => one.palace === this.#app.palace && one.state !== "idle");
    const items = [...here.map(simulationItem), ...jobs.slice(0, JOBS).map((job) => jobItem(job, () => this.#cancel(job.job_id)))];
    return items.length > 0 ? items : el("li", { class: "quiet" }, "None.");
  }

  async #cancel(id) {
    await post("/v1/mcmp/jobs/cancel", { job_id: id }).catch((error) => replace(this.#said, error.message));
    this.load();
  }
}

/**
 * @param {HTMLElement} element
 * @param {PromiseSettledResult<any>} answer
 * @param {(value: any) => import("./dom.js").Child} draw
 */
function show(element, answer, draw) {
  if (answer.status === "fulfilled") replace(element, draw(answer.value));
  else if (element.tagName === "UL") replace(element, el("li", {}, failed(answer.reason)));
  else replace(element, element.tagName === "P" ? answer.reason.message : failed(answer.reason));
}

function simulationItem({ simulation, state, step, query }) {
  return el("li", {}, el("a", { href: "#/swarm" }, `Simulation ${simulation}`), `: ${state}`, el("span", { class: "quiet" }, [step && ` step ${step}`, query && ` “${query}”`].filter(Boolean).join(",")));
}

function jobItem({ job_id: id, status, progress, query, created_at: at }, cancel) {
  const over = OVER.has(status);
  return el("li", {}, `Job: ${over ? status : `${status}, ${percent(progress)}`} `, el("span", { class: "quiet" }, query && `“${query}” `, moment(at, "ago")), !over && actionButton("Cancel", cancel, { class: "more", "aria-label": `Cancel ${id}` }));
}
