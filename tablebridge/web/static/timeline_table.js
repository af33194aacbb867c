// The table at the cursor, as the engine had it after the last event. A card whose face may not be seen is a back.

import { word } from "./words.js";

const NS = "http://www.w3.org/2000/svg";
const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const number = (value) => Number(value).toLocaleString("en-GB").replaceAll(",", "\u202f");

function make(name, attributes, ...children) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export const written = (card) => (/^[2-9TJQKA][cdhs]/.test(card) ? `${card[0] === "T" ? "10" : card[0]}${SUITS[card[1]]}` : "?");

function card(face, x, y) {
  const known = /^[2-9TJQKA][cdhs]/.test(face);
  const group = make("g", { transform: `translate(${x} ${y})` }, make("rect", { class: known ? "paper" : "down", width: 44, height: 34, rx: 5 }));
  if (known) group.append(make("text", { x: 22, y: 25, "text-anchor": "middle", class: `s${face[1]}` }, written(face)));
  return group;
}

/** An action as the engine names it, such as `bet 400`, in the words of the page. */
const action = (last) => last.replace(/^\D+?(?= \d|$)/, (verb) => word(`action ${verb}`));

function seat([place, state, name, stack, bet, cards, faces, last, won], most, toAct) {
  const turn = ((90 + (360 * (place + 0.15)) / (most + 1.3)) * Math.PI) / 180;
  const x = 500 + 400 * Math.cos(turn);
  const y = 268 + 205 * Math.sin(turn);
  const group = make("g", { class: `seat ${state}${place === toAct ? " acts" : ""}`, "data-seat": place, transform: `translate(${Math.round(x)} ${Math.round(y)})`, "text-anchor": "middle" },
    make("rect", { x: -88, y: -42, width: 176, height: 84, rx: 14 }),
    make("text", { y: -16 }, `${place}${name ? ` · ${name.slice(0, 12)}` : ""}`),
    make("text", { y: 8, class: "dim" }, `${number(stack)}${bet ? ` · ${number(bet)}` : ""}`),
    make("text", { y: 32, class: "dim" }, won ? `+${number(won)}` : action(last)));
  const shown = [...faces, ...Array(Math.max(0, cards - faces.length)).fill("")].slice(0, 7);
  shown.forEach((face, at) => group.append(card(face, at * 48 - shown.length * 24, -80)));
  return group;
}

export function table(moment) {
  const [street, board, first, pot, button, toAct, , expects, , seats] = moment;
  const most = Math.max(2, ...seats.map(([place]) => place));
  const drawing = make("svg", { viewBox: "0 -20 1000 560", role: "img", "aria-label": expects || word(`street ${street}`) }, make("rect", { class: "felt", x: 150, y: 95, width: 700, height: 346, rx: 173 }));
  [first, board].forEach((cards, row) => cards.forEach((face, at) => drawing.append(card(face, 500 + at * 50 - cards.length * 25, first.length ? 195 + row * 42 : 220))));
  drawing.append(
    make("text", { x: 500, y: 180, "text-anchor": "middle", class: "dim" }, word(`street ${street}`)),
    make("text", { x: 500, y: 305, "text-anchor": "middle" }, word("pot", { amount: number(pot) })),
    make("text", { x: 500, y: 335, "text-anchor": "middle", class: "dim" }, expects));
  for (const one of seats) if (one[1] !== "empty") drawing.append(seat(one, most, toAct));
  if (button) drawing.querySelector(`[data-seat="${button}"]`)?.append(make("text", { x: 74, y: -18, class: "dim" }, "D"));
  return drawing;
}
