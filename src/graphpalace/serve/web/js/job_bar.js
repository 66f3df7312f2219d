// A simulation as a job: it runs in the background without a picture, and can be cancelled.

import { get, post } from "./api.js";
import { el, replace } from "./dom.js";
import { percent } from "./numbers.js";
import { showResults } from "./swarm_results.js";

const LOOK_EVERY_MS = 2000;
const OVER = new Set(["done", "failed", "cancelled"]);

export class JobBar {
  #job = null;
  #timer = 0;
  #start;
  #open;
  #begin = el("button", { type: "button" }, "Run as a job");
  #cancel = el("button", { type: "button", hidden: true }, "Cancel");
  #bar = el("progress", { max: 1, value: 0, "aria-label": "Progress of the job", hidden: true });
  #said = el("p", { class: "quiet", role: "status" }, "Runs the whole simulation in the background, over all documents of the corpus.");
  #results = el("div", {});

  // `start` starts a job and returns its id.
  constructor({ start, open }) {
    this.#start = start;
    this.#open = open;
    this.#begin.addEventListener("click", () => this.#run());
    this.#cancel.addEventListener("click", () => this.#stop());
    this.element = el("div", { class: "job" }, el("div", { class: "actions" }, this.#begin, this.#cancel, this.#bar), this.#said, this.#results);
  }

  /** @param {any} progress */
  update({ job_id: id, ...state }) {
    if (id === this.#job) this.#show(state);
  }

  async #run() {
    this.#begin.disabled = true;
    try {
      this.#job = await this.#start();
      replace(this.#results);
      if (this.#job) this.#look();
    } catch (error) {
      this.#show({ status: "failed", progress: 0, error: error.message });
    }
    this.#begin.disabled = false;
  }

  async #stop() {
    try {
      await post("/v1/mcmp/jobs/cancel", { job_id: this.#job });
      this.#look();
    } catch (error) {
      replace(this.#said, error.message);
    }
  }

  async #look() {
    clearTimeout(this.#timer);
    const state = await get("/v1/mcmp/jobs/status", { job_id: this.#job }).catch((error) => ({ status: "unknown", error: error.message, progress: this.#bar.value }));
    this.#show(state);
    if (!OVER.has(state.status)) this.#timer = setTimeout(() => this.#look(), LOOK_EVERY_MS);
  }

  /** @param {{ status: string, progress?: number | null, results?: any[], error?: string | null }} state */
  #show({ status, progress, results, error }) {
    const over = OVER.has(status);
    this.#bar.hidden = false;
    this.#bar.value = progress ?? 0;
    this.#cancel.hidden = over;
    this.#begin.disabled = !over;
    replace(this.#said, error ? `${status}: ${error}` : over ? status : `${status}, ${percent(progress ?? 0)}`);
    if (results?.length) showResults(this.#results, { results }, this.#open);
  }
}
