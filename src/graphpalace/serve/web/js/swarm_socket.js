// The WebSocket of one simulation. It reconnects after an error until it is closed.

import { get, key } from "./api.js";
import { connection } from "./connection.js";

const LONGEST_WAIT_S = 10;

export class SwarmSocket extends EventTarget {
  #name = "";
  /** @type {WebSocket | null} */
  #socket = null;
  #turn = 0;
  #wait = 1;
  #timer = 0;

  async open(name) {
    this.close();
    this.#name = name;
    this.#wait = 1;
    await this.#connect();
  }

  close() {
    clearTimeout(this.#timer);
    this.#turn += 1;
    this.#socket?.close();
    this.#socket = null;
  }

  async #connect() {
    const name = this.#name;
    const turn = (this.#turn += 1);
    try {
      await get("/v1/mcmp/status", { simulation: name }); // asks for the key if one is needed
    } catch (error) {
      if (this.#turn === turn) this.#broken(error);
      return;
    }
    if (this.#turn !== turn) return; // closed or opened again meanwhile
    const url = new URL("/v1/mcmp/ws", location.href);
    url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    url.searchParams.set("simulation", name);
    const socket = new WebSocket(url, key.get() ? ["graphpalace", `key.${encoded(key.get())}`] : []);
    this.#socket = socket;
    socket.addEventListener("open", () => (this.#wait = 1));
    socket.addEventListener("message", ({ data }) => {
      if (this.#socket === socket) this.dispatchEvent(new CustomEvent("received", { detail: JSON.parse(data) }));
    });
    socket.addEventListener("close", () => {
      if (this.#socket !== socket) return;
      connection.check();
      this.#broken(new Error("The connection to the simulation was lost. Reconnecting…"));
    });
  }

  #broken(error) {
    this.#socket = null;
    this.dispatchEvent(new CustomEvent("broken", { detail: error }));
    this.#timer = setTimeout(() => this.#connect(), this.#wait * 1000);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_S);
  }
}

function encoded(text) {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
