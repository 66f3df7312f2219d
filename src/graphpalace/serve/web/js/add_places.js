// The fields for a wing and a room, which suggest those that the palace has.

import { get } from "./api.js";
import { el, freshId, replace } from "./dom.js";
import { FormField } from "./form_field.js";

export class PlaceFields {
  #rooms = el("datalist", { id: freshId("rooms") });
  #wings = el("datalist", { id: freshId("wings") });
  /** @type {{ name: string, rooms: { name: string }[] }[]} */
  #known = [];

  constructor() {
    const input = (name, list) => el("input", { name, list: list.id, autocomplete: "off", maxlength: 200 });
    this.wing = new FormField("Wing", input("wing", this.#wings), { hint: "A project, a person or a topic. A new name makes a new wing.", suggestions: this.#wings });
    this.room = new FormField("Room", input("room", this.#rooms), { hint: "A part of the wing. Without a name it is “general”.", suggestions: this.#rooms });
    this.wing.input.addEventListener("input", () => this.#suggestRooms());
  }

  /** @param {string | null} palace */
  async load(palace) {
    this.#known = (await get("/v1/taxonomy", { palace }).catch(() => ({ wings: [] }))).wings;
    replace(this.#wings, this.#known.map(({ name }) => el("option", { value: name })));
    this.#suggestRooms();
  }

  #suggestRooms() {
    const here = this.#known.find(({ name }) => name === this.wing.value);
    replace(this.#rooms, here?.rooms.map(({ name }) => el("option", { value: name })));
  }
}
