// What a reader said of the answers of one search: kept as one feedback, which is replaced when it changes.

import { post, remove } from "./api.js";

export class Judgements {
  #run;
  #palace;
  #said = new Map();
  #given = null;
  #sending = Promise.resolve();

  constructor(palace, run) {
    this.#palace = palace;
    this.#run = run;
  }

  of(drawer) {
    return this.#said.get(drawer) ?? null;
  }

  // `verdict` is "useful", "useless" or null to take it back. One change is sent after the other.
  say(drawer, verdict) {
    const change = this.#sending.then(() => this.#send(drawer, verdict));
    this.#sending = change.catch(() => {});
    return change;
  }

  async #send(drawer, verdict) {
    const said = new Map(this.#said);
    if (verdict) said.set(drawer, verdict);
    else said.delete(drawer);
    if (this.#given) await remove(`/v1/feedback/${encodeURIComponent(this.#given)}`, { palace: this.#palace });
    this.#given = null;
    const those = (wanted) => [...said].filter(([, one]) => one === wanted).map(([id]) => id);
    if (said.size > 0) {
      const feedback = { run: this.#run, palace: this.#palace, useful: those("useful"), useless: those("useless") };
      this.#given = (await post("/v1/feedback", feedback)).id;
    }
    this.#said = said;
  }
}
