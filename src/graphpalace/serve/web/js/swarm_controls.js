// The question, the corpus, and the buttons of a simulation.

import { get } from "./api.js";
import { el, options, replace } from "./dom.js";
import { count } from "./numbers.js";

const BUTTONS = { start: "Start", pause: "Pause", resume: "Resume", step: "Step", stop: "Stop", reset: "Reset" };
const PACES = [["1", "1 step a second"], ["5", "5 steps a second"], ["20", "20 steps a second"], ["0", "as fast as possible"]];
const ALLOWED = {
  idle: ["start"],
  loading: ["stop"],
  running: ["pause", "stop"],
  paused: ["resume", "step", "stop", "reset"],
  stopped: ["start", "reset"],
  failed: ["start", "reset"],
};

export class SwarmControls extends EventTarget {
  #query = el("input", { type: "search", name: "swarm-query", id: "swarm-query", maxlength: 10000, placeholder: "What should the swarm look for? (empty: the centre of the corpus)" });
  #name = el("input", { name: "simulation", id: "simulation", list: "simulations", value: "default", maxlength: 100, autocomplete: "off" });
  #names = el("datalist", { id: "simulations" });
  #source = options(el("select", { name: "corpus" }), [["palace", "the palace"], ["folder", "a folder"]], "palace");
  #wing = el("select", { name: "swarm-wing" });
  #room = el("select", { name: "swarm-room" });
  #root = el("input", { name: "root", type: "text", placeholder: "/path/on/the/server", autocomplete: "off" });
  #agents = el("input", { name: "agents", type: "number", min: 1, max: 10000, step: 1, value: 200 });
  #buttons = {};
  #word = el("strong", { role: "status" });
  #facts = el("span", {});
  #state = el("p", { class: "swarm-state" }, this.#word, this.#facts);
  #problem = el("p", { class: "problem", role: "alert", hidden: true });
  #pace = options(el("select", { name: "pace" }), PACES, "5");
  #resize = el("button", { type: "button" }, "Set");
  #add = el("button", { type: "button" }, "Add");

  constructor() {
    super();
    const form = el(
      "form",
      { class: "swarm-ask", novalidate: true },
      el("label", { class: "visually-hidden", for: "swarm-query" }, "Question for the swarm"),
      el("div", { class: "ask-line" }, this.#query, Object.entries(BUTTONS).map(([name, label]) => this.#button(name, label))),
      el(
        "div",
        { class: "narrow-down" },
        el("label", {}, "Corpus ", this.#source),
        el("label", { class: "of-palace" }, "Wing ", this.#wing),
        el("label", { class: "of-palace" }, "Room ", this.#room),
        el("label", { class: "of-folder", hidden: true }, "Folder ", this.#root),
        el("span", { class: "agents-choice" }, el("label", {}, "Agents ", this.#agents), this.#resize, this.#add),
        el("label", {}, "Speed ", this.#pace),
        el("label", {}, "Simulation ", this.#name),
        this.#names,
      ),
      this.#state,
      this.#problem,
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!this.#buttons.start.disabled) this.#tell("start");
    });
    this.#source.addEventListener("change", () => this.#choose());
    this.#wing.addEventListener("change", () => this.#rooms());
    this.#name.addEventListener("change", () => this.#tell("renamed"));
    this.#pace.addEventListener("change", () => this.#tell("pace"));
    this.#resize.addEventListener("click", () => this.#tell("resize"));
    this.#add.addEventListener("click", () => this.#tell("add"));
    this.element = form;
    this.show({ state: "idle" });
  }

  get simulation() {
    return this.#name.value.trim() || "default";
  }

  set simulation(name) {
    this.#name.value = name;
  }

  get agents() {
    return Number(this.#agents.value);
  }

  // Steps per second; 0: as fast as possible.
  get pace() {
    return Number(this.#pace.value);
  }

  get query() {
    return this.#query.value.trim();
  }

  corpus(palace) {
    if (this.#source.value === "folder") return { palace, root: this.#root.value.trim() };
    return { palace, ...(this.#wing.value && { wing: this.#wing.value }), ...(this.#room.value && { room: this.#room.value }) };
  }

  async load(palace) {
    const [wings, { simulations }] = await Promise.all([
      get("/v1/wings", { palace }).catch(() => []),
      get("/v1/mcmp/simulations").catch(() => ({ simulations: [] })),
    ]);
    const kept = this.#wing.value;
    options(this.#wing, [["", "all"], ...wings.map(({ name }) => [name, name])], wings.some(({ name }) => name === kept) ? kept : "");
    replace(this.#names, simulations.map(({ simulation, state }) => el("option", { value: simulation }, state)));
    this.palace = palace;
    await this.#rooms();
  }

  // Shows the state of the simulation, from the service or from the last metrics.
  show(status) {
    const allowed = ALLOWED[status.state] ?? [];
    for (const [name, button] of Object.entries(this.#buttons)) {
      button.disabled = !allowed.includes(name);
      button.hidden = (["resume", "step"].includes(name)) !== (status.state === "paused") && ["pause", "resume", "step"].includes(name);
    }
    const live = status.state === "running" || status.state === "paused";
    this.#resize.disabled = this.#add.disabled = !live;
    const facts = [status.step > 0 && `step ${status.step}`, status.docs > 0 && count(status.docs, "document"), status.agents > 0 && count(status.agents, "agent")];
    if (status.state === "loading" && status.loading) facts.push(LOADING[status.loading.stage](status.loading));
    if (status.owner && status.here === false) facts.push(`owned by ${status.owner}`);
    const why = status.error ?? REASONS[status.stopped_by];
    if (this.#word.textContent !== status.state) this.#word.textContent = status.state;
    replace(this.#facts, [...facts, why].filter(Boolean).map((fact) => ` · ${fact}`));
  }

  fill({ query, agents, pace }) {
    if (PACES.some(([value]) => value === String(pace))) this.#pace.value = String(pace);
    if (query !== undefined && document.activeElement !== this.#query) this.#query.value = query;
    if (agents && document.activeElement !== this.#agents) this.#agents.value = agents;
  }

  problem(message) {
    this.#problem.hidden = !message;
    replace(this.#problem, message);
  }

  #button(name, label) {
    const button = el("button", { type: name === "start" ? "submit" : "button", class: name === "start" ? "primary" : null }, label);
    button.dataset.act = name;
    if (name !== "start") button.addEventListener("click", () => this.#tell(name));
    return (this.#buttons[name] = button);
  }

  #choose() {
    const folder = this.#source.value === "folder";
    /** @type {NodeListOf<HTMLElement>} */
    const places = this.element.querySelectorAll(".of-palace, .of-folder");
    for (const one of places) one.hidden = one.classList.contains("of-palace") === folder;
  }

  async #rooms() {
    this.#room.disabled = this.#wing.value === "";
    const rooms = this.#room.disabled ? [] : await get("/v1/rooms", { palace: this.palace, wing: this.#wing.value }).catch(() => []);
    options(this.#room, [["", "all"], ...rooms.map(({ name }) => [name, name])], "");
  }

  #tell(what) {
    this.dispatchEvent(new CustomEvent("wanted", { detail: what }));
  }
}

const LOADING = {
  reading: () => "reading the documents",
  embedding: ({ done, of }) => `${done} of ${of} windows embedded`,
  question: () => "reading the question",
};

const REASONS = {
  max_iterations: "all steps were run",
  trails: "the trails are stable",
  relevance: "the relevance is stable",
  request: "stopped by hand",
};
