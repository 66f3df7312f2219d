// Checks whether the service answers, keeps trying while it does not, and reports when it is back.

const LOOK_EVERY_MS = 10_000;
const LONGEST_WAIT_S = 10;

class Connection extends EventTarget {
  state = "connecting";
  #reason = "";
  #wait = 1;
  #timer = 0;

  start() {
    document.addEventListener("visibilitychange", () => document.hidden || this.check());
    this.check();
  }

  // A request was answered.
  found() {
    if (this.state !== "connected") this.check();
  }

  // A request was not answered, or the service cannot reach its database.
  lost(reason) {
    if (this.state !== "away") {
      this.#wait = 1;
      this.#away(reason);
    }
  }

  async check() {
    clearTimeout(this.#timer);
    let reason = "the service cannot be reached";
    try {
      const response = await fetch("/health/ready?lenient", { cache: "no-store", signal: AbortSignal.timeout(8000) });
      if (response.ok) return this.#here();
      const body = await response.json().catch(() => ({}));
      if (body.reason) reason = `the database cannot be used (${body.reason})`;
      else if (response.status === 503) reason = "the database is being prepared";
    } catch {
      // no answer at all: keep the reason
    }
    this.#away(reason);
  }

  #here() {
    const before = this.state;
    this.#wait = 1;
    this.#report("connected", "connected");
    this.#timer = setTimeout(() => (document.hidden ? 0 : this.check()), LOOK_EVERY_MS);
    if (before === "away") this.dispatchEvent(new Event("back"));
  }

  #away(reason) {
    this.#reason = reason;
    this.#countDown(this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_S);
  }

  #countDown(seconds) {
    clearTimeout(this.#timer);
    if (seconds === 0) {
      this.#report("away", this.#reason, "trying again now");
      this.check();
      return;
    }
    this.#report("away", this.#reason, `trying again in ${seconds} s`);
    this.#timer = setTimeout(() => this.#countDown(seconds - 1), 1000);
  }

  // `again` changes every second, so screen readers must not read it each time.
  #report(state, text, again = "") {
    this.state = state;
    this.dispatchEvent(new CustomEvent("changed", { detail: { state, text, again } }));
  }
}

export const connection = new Connection();
