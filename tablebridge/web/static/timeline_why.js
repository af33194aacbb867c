// Why: from a finding to the events that it rests on, from these to the readings, each a link both ways. All numbers are the record's.

import { word } from "./words.js";
import { written } from "./timeline_table.js";

const SHAPES = { critical: "◆", warning: "▲", notice: "●", info: "○" };
const MOST = 40; // readings of one event that are listed

export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.filter((child) => child !== ""));
  return element;
}

export const seconds = (ms) => `${ms < 0 ? "−" : ""}${(Math.abs(ms) / 1000).toFixed(3)} s`;

export class Why {
  constructor(hand, lane) {
    this.hand = hand;
    this.lane = lane;
    this.events = new Map(hand.events.map((event) => [event.n, event]));
    this.citing = new Map(); // by index of a reading the events that rest on it
    this.raised = new Map(); // by number of an event the findings that rest on it
    for (const event of hand.events) for (const index of event.readings) this.#add(this.citing, index, event);
    for (const found of hand.findings) for (const n of found.events) this.#add(this.raised, n, found);
  }

  #add(map, key, value) {
    if (!map.has(key)) map.set(key, []);
    map.get(key).push(value);
  }

  id(read) {
    return `${this.hand.sources[read[2]].join("/")}/${read[3]}`;
  }

  cards(numbers) {
    const { faces } = this.hand;
    return numbers.map((n) => (faces[n] ? `${n} ${written(faces[n])}` : `${n}`)).join(", ");
  }

  finding(found) {
    const unlike = found.again ? "" : make("small", { class: "unlike" }, ` ${word(found.n ? "other" : "missing")}`);
    return make("li", {}, make("button", { type: "button", "data-finding": found.id, "aria-pressed": "false" },
      make("span", { class: `badge ${found.severity}` }, `${SHAPES[found.severity]} ${word(`severity ${found.severity}`)}`),
      make("span", {}, `${found.sentence} `, make("small", {}, `${found.id} · ${seconds(found.t)}${found.rule ? ` · ${word("rule", { rule: `${found.rulebook} ${found.rule}` })}` : ""}`), unlike)));
  }

  /** What a finding rests on: events, and under each its readings. */
  evidence(found) {
    const list = make("ol");
    for (const n of found.events) {
      const event = this.events.get(n);
      if (event) list.append(this.event(event));
    }
    return list;
  }

  event(event) {
    const item = make("li", { "data-event": event.n },
      make("button", { type: "button", class: "link", "data-t": event.t, "data-go": `e${event.n}` }, make("code", {}, event.line)),
      make("small", {}, ` ${word("row", { number: event.n })} · ${seconds(event.t)} · ${word(`basis ${event.basis}`)}${event.by ? ` · ${event.by}` : ""}${event.sure < 1 ? ` · ${word("sure", { percent: `${(event.sure * 100).toFixed(1)} %` })}` : ""}`));
    for (const found of this.raised.get(event.n) ?? []) {
      item.append(" ", make("button", { type: "button", class: "link", "data-pick": found.id }, `${SHAPES[found.severity]} ${found.id}`));
    }
    const readings = make("ol");
    for (const index of event.readings.slice(-MOST)) readings.append(this.reading(index));
    if (event.lost.length) readings.append(make("li", {}, word("lost", { count: event.lost.length })));
    if (!readings.children.length) {
      const said = ["operator", "script"].includes(event.basis) ? word("typed", { who: event.by || word(`basis ${event.basis}`) }) : word(event.basis === "inferred" ? "inferred" : "noreadings");
      readings.append(make("li", {}, said));
    }
    item.append(readings);
    return item;
  }

  reading(index) {
    const read = this.hand.readings[index];
    const [n, t, source, , antenna, place, cards, visits, missed, complete, said] = read;
    const device = this.hand.sources[source][0];
    const what = antenna === null ? word("said", { device, said }) : word("reading", { device, antenna, place: this.lane(place) });
    const parts = antenna === null ? [] : [cards.length ? word("cards", { cards: this.cards(cards) }) : said || word("nocards"), word("visits", { count: visits })];
    if (missed.length) parts.push(word("missed", { cards: this.cards(missed) }));
    if (!complete) parts.push(word("cut"));
    const item = make("li", { "data-reading": this.id(read) },
      make("button", { type: "button", class: "link", "data-t": t, "data-go": `r${index}` }, what), ` ${parts.join(" · ")} `,
      make("small", {}, `${this.id(read)} · ${word("row", { number: n })} · ${seconds(t)}`));
    return item;
  }

  /** A reading, and what rests on it. */
  backwards(index) {
    const list = make("ol", {}, this.reading(index));
    for (const event of this.citing.get(index) ?? []) list.append(this.event(event));
    list.append(make("li", {}, make("small", {}, word("frames"))));
    return list;
  }
}
