// The verdicts of a reader on the answers of one search. They are sent as one feedback, which each change replaces.

import { post, remove } from "./api.js";

export class Judgements {
  #run;
  #palace;
  #verdicts = new Map();
  #feedback = null;
  #sending = Promise.resolve();

  // `run` is the search, or a function that returns it, or a promise of it, once it is needed.
  constructor(palace, run) {
    this.#palace = palace;
    this.#run = run;
  }

  async run() {
    if (typeof this.#run === "function") this.#run = this.#run();
    return this.#run;
  }

  of(drawer) {
    return this.#verdicts.get(drawer) ?? null;
  }

  // `verdict` is "useful", "useless", or null to take it back. Changes are sent one after the other.
  say(drawer, verdict) {
    const change = this.#sending.then(() => this.#send(drawer, verdict));
    this.#sending = change.catch(() => {});
    return change;
  }

  async #send(drawer, verdict) {
    const verdicts = new Map(this.#verdicts);
    if (verdict) verdicts.set(drawer, verdict);
    else verdicts.delete(drawer);
    if (this.#feedback) await remove(`/v1/feedback/${encodeURIComponent(this.#feedback)}`, { palace: this.#palace });
    this.#feedback = null;
    const those = (wanted) => [...verdicts].filter(([, one]) => one === wanted).map(([id]) => id);
    if (verdicts.size > 0) {
      const feedback = { run: await this.run(), palace: this.#palace, useful: those("useful"), useless: those("useless") };
      this.#feedback = (await post("/v1/feedback", feedback)).id;
    }
    this.#verdicts = verdicts;
  }
}
