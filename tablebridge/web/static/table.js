// <tb-table>: a table as the broadcast shows it. It shows no face that the picture does not hold, and knows none. What moves is
// what changed between two pictures; after an absence nothing does.

import { morph } from "./morph.js";
import { draw } from "./overlay_parts.js";
import { make } from "./elements.js";

const SLOW_MS = 280;
const EASE = "cubic-bezier(.2, .7, .2, 1)";
const MOVES = ".seat[id], .board[id], .pot[id]";
const COMES = ".card[id], .plate[id]";

class Table extends HTMLElement {
  options = { show: new Set(), numbers: "auto", player: { seat: 0 } };
  still = true; // whether the next picture appears without movement: the first, and the first after an absence

  show(view, now = 0) {
    const frame = this.querySelector("tb-frame");
    const before = frame ? this.#places(frame) : new Map();
    const fresh = make("tb-frame", {}, ...draw(view, this.options, now));
    if (frame) morph(frame, fresh);
    else this.append(fresh);
    const quiet = this.still || this.options.motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.toggleAttribute("data-still", quiet);
    this.dataset.rev = view.rev;
    this.dataset.seats = view.direction?.layout ?? "left";
    if (!quiet) this.#move(before, view);
    this.still = false;
  }

  clear() {
    this.replaceChildren();
    this.still = true;
  }

  #places(frame) {
    return new Map([...frame.querySelectorAll(`${MOVES}, ${COMES}`)].map((element) => [element.id, element.getBoundingClientRect()]));
  }

  #move(before, view) {
    // All places are read before anything moves: each reading after a movement would lay the picture out again.
    const places = [...this.querySelectorAll(MOVES)].map((element) => [element, before.get(element.id), element.getBoundingClientRect()]);
    const come = [...this.querySelectorAll(COMES)].filter((element) => !before.has(element.id));
    for (const element of come) element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: SLOW_MS, easing: EASE });
    for (const [element, was, is] of places) {
      if (was && (was.x !== is.x || was.y !== is.y)) {
        element.animate([{ translate: `${was.x - is.x}px ${was.y - is.y}px` }, { translate: "none" }], { duration: SLOW_MS, easing: EASE });
      }
    }
    this.#pay(before.get(`h${view.hand}-pot`), view);
  }

  /** The pot flows to those who won it: copies of it, which are gone when they have arrived. */
  #pay(from, view) {
    if (!from || this.querySelector(`#h${view.hand}-pot`)) return;
    for (const winner of this.querySelectorAll(".seat[data-wins]")) {
      const to = (winner.querySelector(".stack") ?? winner).getBoundingClientRect();
      const chips = make("div", { class: "plate flow", "aria-hidden": "true" }, winner.querySelector(".does .bet")?.textContent ?? "");
      this.firstElementChild.append(chips);
      const at = chips.getBoundingClientRect();
      const path = (box) => `${box.x + box.width / 2 - at.x - at.width / 2}px ${box.y + box.height / 2 - at.y - at.height / 2}px`;
      const flight = chips.animate([{ translate: path(from), opacity: 1 }, { translate: path(to), opacity: 1, offset: 0.8 }, { translate: path(to), opacity: 0 }],
        { duration: SLOW_MS, easing: EASE, fill: "both" });
      flight.finished.then(() => chips.remove(), () => chips.remove());
    }
  }
}

if (!customElements.get("tb-table")) customElements.define("tb-table", Table); // graphics of two packages may share a page

