// The director's page: two pictures side by side, and orders that are shown when the server has confirmed them.

import { options } from "./overlay_options.js";
import { SIZES, sheet, stage } from "./overlay_stage.js";
import { isCommand, nowMs, send, start, tick, toggleKeys } from "./page.js";

const OFF = "tablebridge-director-keys-off";
const { static: root, table: name } = document.body.dataset;
const ask = new URLSearchParams(location.search);
const wanted = options(ask);
const key = ask.has("key") ? `?key=${encodeURIComponent(ask.get("key"))}` : ""; // of a browser that is not signed in
const letters = document.getElementById("letters");
const base = await Promise.all([sheet(root, "tokens"), sheet(root, "overlay")]);
const themes = new Map();

/** One of the two pictures, in the figure with this id. */
class Monitor {
  #figure;
  #host = document.createElement("div");
  #table;
  #theme = "";
  #shown = null;

  constructor(id) {
    this.#figure = document.getElementById(id);
    const box = this.#figure.querySelector(".monitor");
    const [width, height] = SIZES[wanted.layout];
    this.#table = stage(this.#host, wanted, base);
    box.style.aspectRatio = `${width} / ${height}`;
    box.append(this.#host);
    new ResizeObserver(() => {
      this.#host.style.scale = box.clientWidth / width;
    }).observe(box);
    setInterval(() => this.#shown?.level && this.#table.show(this.#shown, nowMs()), 1000); // its clock runs
  }

  async show(picture) {
    this.#shown = picture;
    await this.#dress(picture.direction?.theme ?? "own");
    if (this.#shown !== picture) return;
    this.#table.show(picture, nowMs());
    const time = this.#figure.querySelector("time");
    time.hidden = !picture.at_wall_ns;
    time.dataset.since = Math.round(picture.at_wall_ns / 1e6);
    tick();
  }

  /** Each overlay has the theme of its address unless the director chooses another; here that is the first. */
  async #dress(theme) {
    const known = theme === "own" ? "night" : theme;
    if (known === this.#theme) return;
    this.#theme = known;
    if (!themes.has(known)) themes.set(known, sheet(root, `theme-${known}`));
    this.#host.shadowRoot.adoptedStyleSheets = [...base, await themes.get(known)];
  }
}

const air = new Monitor("air");
const now = new Monitor("now");

async function order(button) {
  if (button.getAttribute("aria-busy")) return;
  button.setAttribute("aria-busy", "true");
  await send(`/api/director/${encodeURIComponent(name)}/${button.dataset.order}${key}`, {});
  button.removeAttribute("aria-busy");
}

function press(selector) {
  const button = document.querySelector(selector);
  if (button && !button.matches(":disabled")) order(button);
}

/** Orders what stands after what is chosen. */
function next(choice) {
  const buttons = [...document.querySelectorAll(`[data-cycle="${choice}"] button`)];
  const at = buttons.findIndex((button) => button.getAttribute("aria-pressed") === "true");
  if (buttons.length) order(buttons[(at + 1) % buttons.length]);
}

const KEYS = { KeyC: "hole-cards", KeyX: "all", KeyK: "chip-counts", KeyH: "history", KeyS: "sponsor" };
const CYCLES = { KeyT: "theme", KeyL: "layout" };

document.addEventListener("keydown", (event) => {
  if (!isCommand(event)) return undefined;
  if (event.key === "?") return toggleKeys();
  if (letters.getAttribute("aria-pressed") === "false") return undefined;
  const [, digit] = /^(?:Digit|Numpad)(\d)$/.exec(event.code) ?? [];
  if (digit) return press(`[data-order^="${event.shiftKey ? "lower-third" : "focus-seat"}/"][data-seat="${Number(digit) || 10}"]`);
  if (event.shiftKey) return undefined;
  if (KEYS[event.code]) return press(`[data-order$="-${KEYS[event.code]}"]`);
  return CYCLES[event.code] ? next(CYCLES[event.code]) : undefined;
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-order]");
  if (button) order(button);
});

function showLetters(on) {
  letters.setAttribute("aria-pressed", String(on));
  letters.textContent = on ? letters.dataset.on : letters.dataset.off;
  localStorage.setItem(OFF, on ? "" : "off");
}

letters.addEventListener("click", () => showLetters(letters.getAttribute("aria-pressed") === "false"));
showLetters(localStorage.getItem(OFF) !== "off");

document.body.dataset.stream += key;
start({ events: { table: (picture) => air.show(picture), now: (picture) => now.show(picture) } });
