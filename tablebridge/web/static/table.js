// <tb-table>: a table as the broadcast shows it, a pure function of the picture that it is given. It shows no face that the
// picture does not hold, and knows none.

import { morph } from "./morph.js";

const SVG = "http://www.w3.org/2000/svg";
const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
const RANKS = { T: "10" };
const NAMES = { T: "ten", J: "jack", Q: "queen", K: "king", A: "ace" };
const GONE = new Set(["empty", "out"]);

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== ""));
  return element;
}

function card(face, id) {
  const [, rank, suit] = /^([2-9TJQKA])([cdhs])\*?$/.exec(face ?? "") ?? [];
  if (!rank) return make("span", { class: "card back", id, role: "img", "aria-label": "card face down" });
  const sign = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#suit-${suit}`);
  sign.append(use);
  const label = `${NAMES[rank] ?? rank} of ${SUITS[suit]}`;
  return make("span", { class: "card", id, role: "img", "aria-label": label, "data-suit": suit },
    make("b", { class: rank === "T" ? "ten" : null }, RANKS[rank] ?? rank), sign);
}

const full = (amount) => amount.toLocaleString("en-GB").replaceAll(",", "\u202f");

function short(amount) {
  for (const [size, letter] of [[1e9, "B"], [1e6, "M"], [1e4, "K"]]) {
    const unit = size === 1e4 ? 1e3 : size;
    if (amount >= size) return `${Math.floor((amount / unit) * 10) / 10}${letter}`;
  }
  return full(amount);
}

/** The elements of a picture. `options`: `show` a set of names, `numbers` "full" or "short". */
export function draw(view, { show, numbers }) {
  const chips = numbers === "short" ? short : full;
  const over = view.street === "over" || view.street === "void";
  const id = (name) => `h${view.hand}-${name}`;
  const parts = [];

  if (show.has("blinds") || show.has("hand")) {
    const [low, high] = view.stakes ?? [0, 0];
    const texts = [
      show.has("hand") && view.hand ? `Hand ${view.hand}` : "",
      show.has("blinds") && high ? `${chips(low)} / ${chips(high)}` : "",
      show.has("doubt") && view.in_doubt ? "in doubt" : ""].filter(Boolean);
    if (texts.length) parts.push(make("p", { class: "plate meta", id: "meta" }, texts.join("  ·  ")));
  }

  const middle = [];
  // Of a hand that is run twice the first board lies above the second.
  for (const [name, faces] of [["first-board", view.first_board], ["board", view.board]]) {
    if (show.has("board") && !over && faces?.length) {
      middle.push(make("div", { class: "board", id: id(name) }, ...faces.map((face, at) => card(face, id(`${name}-${at}`)))));
    }
  }
  if (show.has("pot") && !over && view.pot) {
    const allIn = (view.seats ?? []).some((seat) => seat.state === "all-in");
    const sides = allIn && view.pots?.length > 1 ? view.pots.map((pot, at) => `${at ? `Side ${at}` : "Main"} ${chips(pot)}`) : [];
    middle.push(make("p", { class: "plate pot", id: id("pot") }, make("span", {}, "Pot "), make("b", {}, chips(view.pot)),
      sides.length ? make("small", {}, sides.join("  ·  ")) : null));
  }
  if (middle.length) parts.push(make("div", { class: "middle", id: "middle" }, ...middle));

  if (show.has("seats")) {
    const seats = (view.seats ?? []).filter((seat) => !GONE.has(seat.state));
    parts.push(make("ol", { class: "seats", id: "seats" }, ...seats.map((seat) => {
      const held = over || seat.state === "folded" ? 0 : seat.cards || 0; // a folded hand is out of the picture
      const faces = seat.faces?.length && seat.state !== "folded" ? seat.faces : Array(held).fill(null);
      const did = (seat.last ?? "").replace(new RegExp(` ${seat.bet}$`), ""); // the amount stands beside it
      const word = seat.won ? `wins ${chips(seat.won)}` : seat.state === "all-in" ? "all-in" : did;
      return make("li", { class: "plate seat", id: `seat-${seat.seat}`, "data-seat": seat.seat, "data-state": seat.state,
        "data-acts": view.to_act === seat.seat },
      make("div", { class: "hand", id: id(`hand-${seat.seat}`) },
        ...faces.map((face, at) => card(face, id(`card-${seat.seat}-${at}-${face ? "up" : "down"}`)))),
      make("div", { class: "who" },
        make("b", { class: "name" }, seat.name || `Seat ${seat.seat}`,
          view.button === seat.seat ? make("i", { class: "dealer", "aria-label": "button" }, "D") : null),
        make("span", { class: "stack" }, chips(seat.stack))),
      make("div", { class: "does" },
        word ? make("span", { class: "word" }, word) : null,
        seat.bet && !over ? make("b", { class: "bet" }, chips(seat.bet)) : null));
    })));
  }
  return parts;
}

class Table extends HTMLElement {
  options = { show: new Set(), numbers: "full" };
  still = true; // whether the next picture appears without movement: the first, and the first after an absence

  show(view) {
    const before = new Set([...this.querySelectorAll("[id]")].map((element) => element.id));
    const fresh = make("tb-frame", {}, ...draw(view, this.options));
    if (!this.firstElementChild) this.append(make("tb-frame", {}));
    morph(this.firstElementChild, fresh);
    if (!this.still && !matchMedia("(prefers-reduced-motion: reduce)").matches && this.options.motion !== "off") {
      for (const element of this.querySelectorAll(".card[id], .plate[id]")) {
        if (!before.has(element.id)) element.animate([{ opacity: 0 }, { opacity: 1 }], 240);
      }
    }
    this.still = false;
  }

  clear() {
    this.replaceChildren();
    this.still = true;
  }
}

customElements.define("tb-table", Table);
