// The feedback that was given lately, with a button that takes it back.

import { actionButton } from "./action_button.js";
import { get, post, remove } from "./api.js";
import { el, replace } from "./dom.js";
import { drawerLink } from "./drawer_link.js";
import { failed, waiting } from "./message.js";
import { moment } from "./moment.js";
import { Notice } from "./notice.js";

const SHOWN = 20;
const SOURCES = { given: "given", opened: "by opening it" };

export class FeedbackPart {
  #app;
  #asked = 0;
  #notice = new Notice();
  #list = el("ul", { class: "rows" }, el("li", {}, waiting("Reading the feedback…")));
  element = el("section", { class: "card column", "aria-label": "Feedback" }, el("h2", {}, "Feedback"), this.#notice.element, this.#list);

  constructor(app) {
    this.#app = app;
  }

  async load() {
    const asked = (this.#asked += 1);
    const palace = this.#app.palace;
    try {
      const given = await get("/v1/feedback", { palace, limit: SHOWN });
      if (asked !== this.#asked) return;
      replace(this.#list, given.length === 0 ? el("li", { class: "quiet" }, "None yet. Mark an answer of a search as useful or not useful, and later searches learn from it.") : given.map((one) => this.#item(one, palace)));
    } catch (error) {
      if (asked === this.#asked) replace(this.#list, el("li", {}, failed(error, () => this.load())));
    }
  }

  #item(feedback, palace) {
    const { query, given_at: at, source, useful, useless, documents } = feedback;
    const texts = (label, judged) => judged.length > 0 && [` ${label} `, judged.map(({ drawer }, place) => [place > 0 && ", ", drawerLink(drawer, palace, `text ${place + 1}`)])];
    return el(
      "li",
      {},
      el("div", {}, el("p", {}, query ? `“${query}”` : "a question without words", texts("useful:", useful), texts("not useful:", useless), documents.length > 0 && ` ${documents.length} documents of a caller`), el("p", { class: "quiet" }, moment(at, "ago"), ` · ${SOURCES[source] ?? source}`)),
      actionButton("Take it back", () => this.#takeBack(feedback, palace), { class: "more", "aria-label": `Take back the feedback on “${query}”` }),
    );
  }

  async #takeBack({ id, query, search, source, useful, useless, documents }, palace) {
    const rewards = (judged) => judged.map(({ drawer, reward }) => ({ id: drawer, reward }));
    const again = async () => {
      await post("/v1/feedback", { palace, run: search, useful: rewards(useful), useless: rewards(useless) });
      await this.load();
      return "It is given again.";
    };
    try {
      await remove(`/v1/feedback/${encodeURIComponent(id)}`, { palace });
      this.#notice.say(`The feedback on “${query}” is taken back.`, source === "given" && documents.length === 0 ? again : null);
      await this.load();
    } catch (error) {
      this.#notice.fail(error);
    }
  }
}
