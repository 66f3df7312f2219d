// The swarm: its live picture, controls, settings, results, report, job and log.

import { get, post } from "./api.js";
import { hasWebGL } from "./charts.js";
import { el, options, replace, viewHeading } from "./dom.js";
import { openText } from "./drawer_dialog.js";
import { JobBar } from "./job_bar.js";
import { nothing } from "./message.js";
import { count } from "./numbers.js";
import { MetricsChart } from "./metrics_chart.js";
import { SettingsForm } from "./settings_form.js";
import { SwarmControls } from "./swarm_controls.js";
import { LogLines, reportPanel, showResults } from "./swarm_results.js";
import { SwarmScene } from "./swarm_scene.js";
import { SwarmSocket } from "./swarm_socket.js";

const EMPTY = () => nothing("No simulation is running.", "Start one: agents move among the documents by meaning and lay trails between relevant ones.");

export class SwarmView {
  #app;
  #name = "default";
  #turn = 0;
  #status = { state: "idle" };
  #open = (id) => openText(() => this.#read(id));
  #socket = new SwarmSocket();
  #controls = new SwarmControls();
  #scene = new SwarmScene();
  #metrics = new MetricsChart();
  #form = new SettingsForm(() => this.#apply());
  #job = new JobBar({ start: () => this.#startJob(), open: this.#open });
  #log = new LogLines();
  #shown = el("p", { class: "quiet" });
  #results = el("div", {}, nothing("No results yet."));
  #report = el("div", {}, el("p", { class: "quiet" }, "Reports appear here if “report enabled” is on."));
  #again = el("input", { type: "search", "aria-label": "Another question about the same documents", placeholder: "Ask another question about the same documents" });
  #dims = options(el("select", { name: "viz_dims" }), [["2", "2-D"], ["3", "3-D"]], "2");

  constructor(app) {
    this.#app = app;
    this.#scene.clear(EMPTY());
    this.#metrics.clear();
    this.element = el(
      "section",
      { class: "swarm", "aria-label": "Swarm" },
      viewHeading("Swarm"),
      el("div", { class: "card ask-card" }, this.#controls.element),
      el(
        "div",
        { class: "column" },
        el("div", { class: "card scene-card" }, this.#tools(), this.#scene.element, this.#shown, this.#metrics.figures),
        el("div", { class: "card" }, el("h2", {}, "Metrics"), this.#metrics.element),
        el("div", { class: "card" }, el("h2", {}, "Report"), this.#report),
        el("div", { class: "card" }, el("h2", {}, "Log"), this.#log.element),
      ),
      el(
        "div",
        { class: "column" },
        el("div", { class: "card results-card" }, el("h2", {}, "Results"), this.#askAgain(), this.#results),
        el("div", { class: "card" }, el("h2", {}, "Job"), this.#job.element),
        el("div", { class: "card" }, el("h2", {}, "Settings"), this.#form.element),
      ),
    );
    this.#controls.addEventListener("wanted", (/** @type {CustomEventInit} */ { detail }) => this.#do(detail));
    this.#scene.addEventListener("chosen", (/** @type {CustomEventInit} */ { detail }) => this.#open(detail));
    this.#socket.addEventListener("received", (/** @type {CustomEventInit} */ { detail }) => this.#receive(detail));
    this.#socket.addEventListener("broken", (/** @type {CustomEventInit} */ { detail }) => this.#controls.problem(detail.message));
  }

  async show(params) {
    const name = params.get("simulation") ?? "default";
    if (name !== this.#name) this.#clear();
    this.#name = this.#controls.simulation = name;
    this.#scene.draw();
    const turn = (this.#turn += 1);
    await this.#controls.load(this.#app.palace);
    if (turn === this.#turn) await this.#socket.open(name); // unless another simulation or view was opened meanwhile
  }

  hide() {
    this.#turn += 1;
    this.#socket.close();
  }

  forget() {}

  back() {
    this.#socket.open(this.#name);
  }

  #tools() {
    const shows = Object.keys(this.#scene.shows).map((name) => {
      const box = el("input", { type: "checkbox", checked: true, name: `show-${name}` });
      box.addEventListener("change", () => {
        this.#scene.shows[name] = box.checked;
        this.#scene.draw();
      });
      return el("label", { class: "check" }, box, ` ${name}`);
    });
    this.#dims.addEventListener("change", () => this.#try(() => post("/v1/mcmp/config", { viz_dims: Number(this.#dims.value) }, this.#where())));
    return el("div", { class: "tools" }, el("label", {}, "View ", this.#dims), shows);
  }

  #askAgain() {
    const form = el("form", { class: "ask-again" }, this.#again, el("button", {}, "Ask"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#try(async () => {
        const query = this.#again.value.trim();
        const { results } = await post("/v1/mcmp/search", { query, top_k: 10 }, this.#where());
        showResults(this.#results, { query, results }, this.#open);
      });
    });
    return form;
  }

  #where() {
    return { simulation: this.#name };
  }

  #do(wanted) {
    if (wanted === "renamed") {
      location.hash = `#/swarm?${new URLSearchParams({ simulation: this.#controls.simulation })}`;
      return;
    }
    const acts = {
      start: () => this.#start(),
      pause: () => post("/v1/mcmp/pause", {}, this.#where()),
      resume: () => post("/v1/mcmp/resume", {}, this.#where()),
      step: () => post("/v1/mcmp/resume", {}, { ...this.#where(), steps: 1 }),
      pace: () => this.#changePace(),
      stop: () => post("/v1/mcmp/stop", {}, this.#where()),
      reset: () => this.#reset(),
      resize: () => post("/v1/mcmp/agents/resize", { count: this.#controls.agents }, this.#where()),
      add: () => post("/v1/mcmp/agents/add", { n: this.#controls.agents }, this.#where()),
    };
    this.#try(async () => {
      await acts[wanted]();
      await this.#refresh();
    });
  }

  async #start() {
    this.#metrics.clear();
    this.#log.clear();
    replace(this.#results, nothing("No results yet."));
    this.#controls.show({ state: "loading" });
    await post("/v1/mcmp/start", this.#wish({ num_agents: this.#controls.agents, max_steps_per_s: this.#controls.pace }), this.#where());
    this.#form.set(await get("/v1/mcmp/settings", this.#where())); // the start saved these settings
  }

  // A simulation that does not run yet gets the speed when it starts.
  async #changePace() {
    if (!this.#status.running && this.#status.state !== "paused") return;
    await post("/v1/mcmp/config", { max_steps_per_s: this.#controls.pace }, this.#where());
    this.#form.set(await get("/v1/mcmp/settings", this.#where()));
  }

  async #startJob() {
    if (!this.#form.check()) return null;
    const { job_id: id } = await post("/v1/mcmp/jobs/start", this.#wish({ num_agents: this.#controls.agents }), this.#where());
    return id;
  }

  #wish(more) {
    const settings = { ...more, ...this.#form.changes(), viz_dims: Number(this.#dims.value) };
    return { ...settings, query: this.#controls.query, ...this.#controls.corpus(this.#app.palace) };
  }

  async #reset() {
    await post("/v1/mcmp/reset", {}, this.#where());
    this.#clear();
  }

  #clear() {
    this.#scene.clear(EMPTY());
    this.#metrics.clear();
    this.#log.clear();
    replace(this.#results, nothing("No results yet."));
    replace(this.#shown);
  }

  #apply() {
    const changes = this.#form.changes();
    return this.#try(async () => {
      const path = this.#status.running ? "/v1/mcmp/config" : "/v1/mcmp/settings";
      await post(path, changes, this.#where());
      this.#form.set(await get("/v1/mcmp/settings", this.#where()));
      this.#log.add({ level: "info", message: `settings applied: ${Object.keys(changes).join(", ") || "nothing changed"}` });
    });
  }

  async #try(act) {
    this.#controls.problem("");
    try {
      await act();
    } catch (error) {
      if (!this.#form.refuse(error.fields ?? {})) this.#controls.problem(error.message);
      if (this.#status.state !== "loading") this.#controls.show(this.#status);
    }
  }

  async #refresh() {
    this.#took(await get("/v1/mcmp/status", this.#where()));
  }

  #took(status) {
    this.#status = status;
    this.#controls.show(status);
    this.#form.running = ["running", "loading"].includes(status.state);
    if (status.metrics) this.#metrics.show({ ...status, ...status.metrics });
  }

  #receive({ type, data }) {
    const handlers = {
      hello: () => this.#hello(data),
      snapshot: () => this.#picture(data),
      metrics: () => this.#step(data),
      results: () => showResults(this.#results, data, this.#open),
      loading: () => this.#took({ ...this.#status, state: "loading", running: true, loading: data }),
      results_stable: () => showResults(this.#results, data, this.#open),
      report: () => replace(this.#report, reportPanel(data)),
      job_progress: () => this.#job.update(data),
      log: () => this.#log.add(data),
    };
    handlers[type]?.();
  }

  async #hello({ status, settings }) {
    this.#controls.problem("");
    this.#form.set(settings);
    this.#dims.value = String(settings.settings.viz_dims ?? 2);
    this.#controls.fill({ query: status.query ?? settings.settings.query, agents: status.agents || settings.settings.num_agents, pace: status.running || status.state === "paused" ? settings.settings.max_steps_per_s : undefined });
    this.#took(status);
    if (!settings.settings.report_enabled || status.step === 0) return;
    const report = await get("/v1/mcmp/report", this.#where()).catch(() => null);
    if (report) replace(this.#report, reportPanel(report));
  }

  #picture(snapshot) {
    const { documents, of_documents: all, edges, of_edges: allEdges, agents, agents_at: at } = snapshot.shown;
    const flat = snapshot.dims === 3 && !hasWebGL() ? "This browser has no WebGL, so only two of the three dimensions are drawn. " : "";
    replace(this.#shown, `${flat}${documents} of ${all} documents, ${edges} of ${allEdges} trails, ${count(agents, "agent")} at ${count(at, "document")}, step ${snapshot.step}. Click a document to read its text.`);
    this.#scene.set(snapshot);
  }

  #step(metrics) {
    this.#metrics.add(metrics);
    this.#took({ ...this.#status, ...metrics, metrics, running: metrics.state === "running" });
  }

  async #read(id) {
    const found = await get(`/v1/mcmp/doc/${encodeURIComponent(id)}`, this.#where());
    const path = found.metadata?.path ?? found.metadata?.source_uri ?? found.id;
    return { title: path, place: `relevance ${found.relevance.toFixed(3)} · ${found.visits} visits`, text: found.content };
  }
}
