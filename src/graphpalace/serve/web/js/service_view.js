// Service: its state, the work that goes on, the feedback that was given, and the settings.

import { el, viewHeading } from "./dom.js";
import { FeedbackPart } from "./service_feedback.js";
import { SettingsPart } from "./service_settings.js";
import { StatusPart } from "./service_status.js";
import { WorkPart } from "./service_work.js";

const REFRESH_MS = 15_000;

export class ServiceView {
  #timer = 0;
  #parts;
  #steady;

  constructor(app) {
    this.#parts = [new StatusPart(), new WorkPart(app)];
    this.#steady = [new FeedbackPart(app), new SettingsPart()];
    const [status, work] = this.#parts;
    const [feedback, settings] = this.#steady;
    this.element = el("section", { class: "service", "aria-label": "Service" }, viewHeading("Service"), el("div", { class: "two-parts" }, status.element, work.element), feedback.element, settings.element);
  }

  show() {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => document.hidden || this.#refresh(), REFRESH_MS);
    this.back();
  }

  // Who is about to press a button in a part keeps it.
  #refresh() {
    for (const part of this.#parts) if (!part.element.contains(document.activeElement)) part.load();
  }

  hide() {
    clearInterval(this.#timer);
  }

  forget() {}

  back() {
    for (const part of [...this.#parts, ...this.#steady]) part.load();
  }
}
