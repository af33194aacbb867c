// An OGraf graphic (EBU, version 1) of one table. It runs in a renderer on another host, has its own files beside it, and shows what
// the box sends on the delayed plane, or a state that it is given. One step; real time only.

import { options } from "./overlay_options.js";
import { Screen } from "./overlay_screen.js";
import { take } from "./words.js";
import "./table.js";

const STEPS = 1;
const SIZES = { "16x9": ["120rem", "67.5rem"], "9x16": ["67.5rem", "120rem"], row: ["120rem", "67.5rem"], "row-9x16": ["67.5rem", "120rem"] };
const THEMES = new Set(["night", "day", "arena", "phone"]);
const OPTIONS = ["layout", "show", "deck", "numbers", "round", "motion", "level", "until"];
const done = (more = {}) => ({ statusCode: 200, ...more });
const refused = (statusMessage) => ({ statusCode: 400, statusMessage });
const beside = (name) => new URL(name, import.meta.url).href;

function sheet(name) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.crossOrigin = "anonymous"; // so that the faces of its fonts can be read
  link.href = beside(name);
  const loaded = new Promise((done, fail) => {
    link.onload = done;
    link.onerror = () => fail(new Error(`${name} cannot be loaded`));
  });
  return { link, loaded };
}

/** Gives the document the fonts of this style sheet: in a shadow tree they do not count. */
function letters(sheet) {
  for (const { style } of [...sheet.cssRules].filter((rule) => rule instanceof CSSFontFaceRule)) {
    const [, file] = /url\("([^"]+)"\)/.exec(style.getPropertyValue("src"));
    const face = new FontFace(style.getPropertyValue("font-family").replaceAll('"', ""), `url("${new URL(file, sheet.href).href}")`,
      { weight: style.getPropertyValue("font-weight"), unicodeRange: style.getPropertyValue("unicode-range"), display: "block" });
    if (![...document.fonts].some((known) => known.family === face.family && known.unicodeRange === face.unicodeRange)) document.fonts.add(face);
  }
}

/** The base of our graphics. `parts`: what is shown unless the data say so. */
export class Graphic extends HTMLElement {
  parts = null;
  #data = {};
  #stage = document.createElement("div");
  #table = null;
  #screen = null;
  #theme = null;
  #step; // undefined at the beginning and at the end
  #direction = { picture: true, hole_cards: true, focus: 0 };
  #followed = "";
  #texts = ""; // the address of the texts that were taken
  #sizes = new ResizeObserver(() => this.#fit());

  async load({ data = {}, renderType } = {}) {
    if (renderType && renderType !== "realtime") return refused("This graphic is rendered in real time only.");
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    this.#table = document.createElement("tb-table");
    this.#screen = new Screen(this.#table);
    this.#screen.on = false;
    this.#screen.adapt = (view) => this.#directed(view);
    this.#stage.replaceChildren(this.#table);
    this.style.cssText = "display: block; position: absolute; inset: 0; overflow: hidden";
    this.#stage.style.cssText = "position: absolute; left: 0; top: 0; transform-origin: 0 0";
    const sheets = [sheet("tokens.css"), sheet("overlay.css")];
    root.replaceChildren(...sheets.map(({ link }) => link), this.#stage);
    await Promise.all(sheets.map(({ loaded }) => loaded));
    letters(sheets[0].link.sheet);
    this.#sizes.observe(this);
    await this.#take(data);
    return done();
  }

  async dispose() {
    this.#sizes.disconnect();
    this.#screen?.close();
    this.#screen = null;
    this.#followed = "";
    this.#step = undefined;
    this.shadowRoot?.replaceChildren();
    return done();
  }

  async playAction({ delta = 1, goto, skipAnimation = false } = {}) {
    const target = goto ?? (this.#step ?? -1) + delta;
    if (target < 0) return refused("There is no step before the first.");
    if (target >= STEPS) {
      await this.stopAction({ skipAnimation });
      return done({ currentStep: undefined });
    }
    this.#step = target;
    this.#screen.on = true;
    if (skipAnimation) this.#table.still = true;
    this.#screen.again();
    return done({ currentStep: this.#step });
  }

  async stopAction({ skipAnimation = false } = {}) {
    this.#step = undefined;
    this.#screen.on = false;
    await this.#screen.clear(skipAnimation);
    return done();
  }

  async updateAction({ data = {}, skipAnimation = false } = {}) {
    if (skipAnimation) this.#table.still = true;
    await this.#take(data);
    return done();
  }

  async customAction({ id, payload = {} } = {}) {
    const seat = Number(payload?.seat ?? 0);
    const orders = { "hide-hole-cards": { hole_cards: false }, "show-hole-cards": { hole_cards: true }, "hide-all": { picture: false },
      "show-all": { picture: true }, "focus-seat": { focus: seat } };
    if (!Object.hasOwn(orders, id)) return refused(`There is no action ${id}.`);
    if (!(Number.isInteger(seat) && seat >= 0 && seat <= 10)) return refused("A seat is 1 to 10, or 0 for none.");
    Object.assign(this.#direction, orders[id]);
    this.#screen.again();
    return done();
  }

  /** What is left of a picture by the orders of the box's director and by those that this graphic got. */
  #directed(view) {
    const { picture, hole_cards, focus } = this.#direction;
    this.#dress(THEMES.has(view.direction?.theme) ? view.direction.theme : this.#own()).catch(({ message }) => console.error(`tablebridge: ${message}`));
    const direction = { ...view.direction, picture: picture && view.direction?.picture !== false, focus: focus || view.direction?.focus || 0 };
    if (hole_cards) return { ...view, direction };
    return { ...view, direction, hands: [], seats: (view.seats ?? []).map((seat) => ({ ...seat, faces: [] })) };
  }

  /** Takes the texts of the language of the data from the box, or without one those beside this file. */
  async #speak() {
    const { source, lang } = this.#data;
    const address = source && lang ? new URL(`/graphics/words.json?lang=${encodeURIComponent(lang)}`, source).href : beside("words.json");
    if (address === this.#texts) return;
    this.#texts = address;
    take(await (await fetch(address)).json());
  }

  /** Takes data, of which some may be missing: those stay as they were. */
  async #take(data) {
    this.#data = { ...this.#data, ...data };
    await this.#speak();
    const { source, key, table, state } = this.#data;
    const asked = Object.fromEntries(OPTIONS.filter((name) => this.#data[name]).map((name) => [name, this.#data[name]]));
    this.#table.options = options(new URLSearchParams(this.parts ? { show: this.parts, ...asked } : asked));
    if (source && table) {
      this.#table.options.portrait = (file) =>
        new URL(`/feeds/${encodeURIComponent(table)}/players/${encodeURIComponent(file)}?key=${encodeURIComponent(key ?? "")}`, source).href;
    }
    this.#table.dataset.layout = this.#table.options.layout;
    this.#table.dataset.deck = this.#table.options.deck;
    this.#fit();
    await this.#dress(this.#own());
    if (state) {
      this.#followed = "";
      this.#screen.give(state);
    } else if (source && table) {
      const address = new URL(`/live/overlay/${encodeURIComponent(table)}?key=${encodeURIComponent(key ?? "")}`, source).href;
      if (address !== this.#followed) this.#screen.open(address);
      this.#followed = address;
    }
    this.#screen.again();
  }

  /** The theme of the data, which holds unless the director chooses another. */
  #own() {
    return THEMES.has(this.#data.theme) ? this.#data.theme : "night";
  }

  async #dress(theme) {
    if (this.#theme?.dataset.theme === theme && this.#theme.isConnected) return;
    const before = this.#theme;
    const { link, loaded } = sheet(`theme-${theme}.css`);
    link.dataset.theme = theme;
    this.#theme = link;
    this.#stage.before(link);
    await loaded;
    before?.remove(); // until then the picture stays as it is
  }

  /** The picture fills the element, whatever its size and the size of the renderer's letters. */
  #fit() {
    if (!this.#table) return;
    [this.#stage.style.width, this.#stage.style.height] = SIZES[this.#table.options.layout ?? "16x9"];
    if (this.#stage.offsetWidth) this.#stage.style.scale = this.clientWidth / this.#stage.offsetWidth;
  }
}
