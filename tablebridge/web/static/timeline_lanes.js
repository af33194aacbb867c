// The lanes of a hand, drawn by hand: what was read and what happened on one axis of time. Nothing is drawn between two readings,
// and a gap is hatched. The picture is drawn again when the window of time changes; a step moves the cursor on a layer of its own.

import { word } from "./words.js";

export const GUTTER = 118;
const ROW = 22;
const HEAD = 24;
const STEPS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 3e4, 6e4, 12e4, 3e5, 6e5, 18e5, 36e5];
const EVENT = 5;

const named = (lane) => (lane.startsWith("seat ") ? word("seat", { seat: lane.slice(5) }) : word(`lane_${lane}`));

export class Lanes {
  drawn = 0; // how often the whole picture was drawn

  constructor(box, hand) {
    this.box = box;
    this.hand = hand;
    this.base = box.querySelector("#drawn");
    this.over = box.querySelector("#over");
    this.rows = new Map(hand.lanes.map((lane, number) => [lane, HEAD + number * ROW]));
    this.height = HEAD + hand.lanes.length * ROW + 4;
    this.first = Math.min(0, ...hand.readings.slice(0, 1).map((read) => read[1]));
    this.show(this.first, Math.max(1000, hand.end));
  }

  show(from, to) {
    this.from = from;
    this.to = Math.max(from + 5, to);
    this.draw();
  }

  x(t) {
    return GUTTER + ((t - this.from) / (this.to - this.from)) * (this.width - GUTTER - 6);
  }

  t(x) {
    return this.from + ((x - GUTTER) / (this.width - GUTTER - 6)) * (this.to - this.from);
  }

  lane(y) {
    return this.hand.lanes[Math.floor((y - HEAD) / ROW)];
  }

  #context(canvas) {
    const ratio = window.devicePixelRatio || 1;
    this.width = this.box.clientWidth;
    canvas.width = Math.round(this.width * ratio);
    canvas.height = Math.round(this.height * ratio);
    canvas.style.height = `${this.height}px`;
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    return context;
  }

  draw() {
    const c = this.#context(this.base);
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    this.colour = colour;
    c.font = "13px system-ui, sans-serif";
    c.textBaseline = "middle";
    this.#ruler(c, colour);
    for (const [lane, y] of this.rows) {
      c.fillStyle = colour("line");
      c.fillRect(0, y + ROW - 1, this.width, 1);
      c.fillStyle = colour("dim");
      c.fillText(named(lane), 8, y + ROW / 2, GUTTER - 14);
    }
    c.save();
    c.beginPath();
    c.rect(GUTTER - 1, 0, this.width - GUTTER, this.height);
    c.clip();
    this.#streets(c, colour);
    this.#gaps(c, colour);
    this.#readings(c, colour);
    this.#events(c, colour);
    this.#findings(c, colour);
    if (this.hand.differences) {
      c.fillStyle = colour("critical");
      c.fillRect(GUTTER, 0, this.width, 4);
    }
    c.restore();
    this.drawn += 1;
    this.cursor(this.at ?? 0, this.marks);
  }

  #ruler(c, colour) {
    const room = (90 * (this.to - this.from)) / Math.max(1, this.width - GUTTER);
    const step = STEPS_MS.find((ms) => ms >= room) ?? 36e5;
    c.fillStyle = colour("dim");
    for (let t = Math.ceil(this.from / step) * step; t <= this.to; t += step) {
      c.fillRect(this.x(t), HEAD - 6, 1, 6);
      c.fillText(`${(t / 1000).toFixed(step < 1000 ? 2 : 0)} s`, this.x(t) + 3, HEAD - 12);
    }
  }

  #streets(c, colour) {
    const y = this.rows.get("engine");
    const { events, end } = this.hand;
    let start = 0;
    for (let at = 0; at < events.length; at += 1) {
      const street = events[at].after[0];
      if (at + 1 < events.length && events[at + 1].after[0] === street) continue;
      const from = this.x(events[start].t);
      const to = this.x(at + 1 < events.length ? events[at + 1].t : end);
      c.fillStyle = colour("raised");
      c.fillRect(from, y + 2, Math.max(1, to - from - 1), ROW - 5);
      if (to - from > 40) {
        c.fillStyle = colour("dim");
        c.fillText(word(`street ${street}`), Math.max(from, GUTTER) + 5, y + ROW / 2, to - from - 8);
      }
      start = at + 1;
    }
  }

  #gaps(c, colour) {
    const tile = document.createElement("canvas");
    tile.width = tile.height = 8;
    const t = tile.getContext("2d");
    t.strokeStyle = colour("faint");
    t.lineWidth = 1.5;
    t.beginPath();
    for (const shift of [-8, 0, 8]) {
      t.moveTo(shift, 8);
      t.lineTo(shift + 8, 0);
    }
    t.stroke();
    c.fillStyle = c.createPattern(tile, "repeat");
    for (const gap of this.hand.gaps) {
      const y = this.rows.get(gap.lane);
      if (y === undefined) continue;
      const from = Math.max(GUTTER, this.x(gap.start));
      const to = Math.min(this.width, this.x(gap.end));
      if (to > from) c.fillRect(from, y + 2, to - from, ROW - 4);
    }
  }

  // One line of a pixel for as many readings as fall on it, tall if any of them saw a card.
  #readings(c, colour) {
    c.fillStyle = colour("good");
    const last = new Map();
    for (const read of this.hand.readings) {
      const t = read[1];
      if (t < this.from || t > this.to) continue;
      const x = Math.round(this.x(t));
      const seen = read[6].length > 0 || read[10] !== "";
      const key = read[5];
      if (last.get(key) === (seen ? x : -x)) continue;
      last.set(key, seen ? x : -x);
      const y = this.rows.get(key);
      if (seen) c.fillRect(x, y + 4, 1, ROW - 9);
      else c.fillRect(x, y + ROW - 8, 1, 3);
    }
  }

  #events(c, colour) {
    c.fillStyle = colour("accent");
    for (const event of this.hand.events) {
      if (event.t < this.from || event.t > this.to) continue;
      for (const lane of event.lanes) {
        c.beginPath();
        c.arc(this.x(event.t), this.rows.get(lane) + ROW / 2, EVENT - 0.5, 0, 7);
        c.fill();
      }
    }
    for (const act of this.hand.acts) {
      c.fillRect(this.x(act.t) - 4, this.rows.get("alerts") + ROW / 2 - 4, 8, 8);
    }
  }

  #findings(c, colour) {
    const y = this.rows.get("findings") + ROW / 2;
    for (const found of this.hand.findings) {
      const x = this.x(found.t);
      c.fillStyle = colour(found.severity);
      c.strokeStyle = colour(found.again ? "text" : "red");
      c.lineWidth = found.again ? 1 : 3;
      c.beginPath();
      if (found.severity === "warning") c.moveTo(x, y - 8), c.lineTo(x + 8, y + 7), c.lineTo(x - 8, y + 7);
      else if (found.severity === "critical") c.moveTo(x, y - 9), c.lineTo(x + 9, y), c.lineTo(x, y + 9), c.lineTo(x - 9, y);
      else c.arc(x, y, 7, 0, 7);
      c.closePath();
      c.fill();
      c.stroke();
    }
  }

  /** Moves the cursor; `marks`: {from, to, points: [{t, lane}]} of what is marked and what the chosen finding rests on. */
  cursor(t, marks = {}) {
    this.at = t;
    this.marks = marks;
    const c = this.#context(this.over);
    const { from = null, to = null, points = [] } = marks;
    if (from !== null || to !== null) {
      c.globalAlpha = 0.18;
      c.fillStyle = this.colour("accent");
      const start = Math.max(GUTTER, this.x(from ?? this.from));
      c.fillRect(start, 0, Math.max(2, this.x(to ?? this.to) - start), this.height);
      c.globalAlpha = 1;
    }
    c.strokeStyle = this.colour("amber");
    c.lineWidth = 2;
    for (const point of points) {
      if (point.t < this.from || point.t > this.to) continue;
      c.strokeRect(this.x(point.t) - 5, this.rows.get(point.lane) + 2, 10, ROW - 5);
    }
    if (t >= this.from && t <= this.to) {
      c.fillStyle = this.colour("red");
      c.fillRect(this.x(t) - 0.75, HEAD - 8, 1.5, this.height - HEAD + 8);
    }
  }
}
