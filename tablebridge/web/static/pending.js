// What was pressed and is not answered yet. One write is on its way at a time, in the order of the keys; each is sent for the
// turn that the answer before it left. A key is meant for the seat that the page foresaw when it was pressed: where another
// seat is to act by then, it and all behind it are dropped and said. Nothing is kept for later: a failure drops the rest too.

import { $ } from "./page.js";
import { word } from "./words.js";

const ACTED = /^(?:fold|check|call|bet|raise|allin|say|chips-in) (\d+)/;
const waiting = [];
let answered = null; // the turn that the newest answer left, until the page's own block is as new
let busy = false;

const shown = () => $("#turn").dataset;

/** The newest turn that is known: `{name, seat, toCall}`. */
export function turn() {
  if (answered && Number(shown().rev) >= answered.rev) answered = null;
  return answered ?? { name: shown().turn ?? "", seat: Number(shown().toAct) || null, toCall: Number(shown().toCall) || 0 };
}

function after(seat, folded) {
  const live = [...document.querySelectorAll("#drawing .seat.in")].map((one) => Number(one.dataset.seat))
    .filter((one) => !folded.has(one)).sort((a, b) => a - b);
  if (live.length < 2 && live[0] === seat) return null;
  return live.find((one) => one > seat) ?? live[0] ?? null;
}

/** The seat that will be to act when all that waits is written; null for nobody, undefined where it cannot be foreseen. */
export function foreseen() {
  let { seat } = turn();
  const folded = new Set();
  const mine = [...document.querySelectorAll("#lines [data-mine]")].map((line) => line.dataset.line);
  for (const one of waiting) {
    if (one.path === "undo" && !one.body.entry) seat = Number(ACTED.exec(mine.pop() ?? "")?.[1]) || undefined;
    else if (one.path !== "lines") seat = undefined;
    else if (seat !== undefined && one.seat && one.seat === seat) {
      if (one.word === "fold") folded.add(seat);
      seat = after(seat, folded);
    }
  }
  return seat;
}

export const idle = () => waiting.length === 0;

function show() {
  const list = $("#pending");
  list.replaceChildren(...waiting.map((one, place) => {
    const item = document.createElement("li");
    item.textContent = word(place ? "waits" : "sending", { line: one.label });
    return item;
  }));
  list.hidden = !waiting.length;
}

/** Drops what is not on its way yet and answers its labels. */
export function drop() {
  const dropped = waiting.splice(busy ? 1 : 0).map((one) => one.label);
  show();
  return dropped;
}

/**
 * Writes one thing after all that waits. `word`: an act that is named when it is sent, `fold` or `due` (check or call);
 * `seat`: whom it is for; `body.turn`: the turn for which it is meant, if it was pressed at one. `refused(reply, dropped)` is
 * called when it was not done, `moved` in the reply telling that the turn had passed.
 */
export function write(send, one) {
  waiting.push(one);
  show();
  if (!busy) pump(send);
}

async function pump(send) {
  busy = true;
  try {
    while (waiting.length) {
      const one = waiting[0];
      const reply = await sent(send, one);
      const { turn: left } = reply;
      if (left) answered = { rev: reply.rev, name: left.name, seat: left.seat ?? null, toCall: left.to_call };
      waiting.shift();
      if (!reply.ok) one.refused(reply, waiting.splice(0).map((other) => other.label));
      one.done();
      show();
    }
  } finally {
    busy = false;
  }
}

async function sent(send, one) {
  const now = turn();
  if (one.seat && one.bound && !one.body.turn && now.seat !== one.seat) {
    const sentence = now.seat ? word("notToAct", { seat: now.seat, other: one.seat }) : word("nobodyNow");
    return { ok: false, moved: true, sentence };
  }
  const body = { ...one.body };
  if (one.word) body.lines = [`${one.word === "due" ? (now.toCall > 0 ? "call" : "check") : one.word} ${one.seat}`];
  if (one.bound && !body.turn) body.turn = now.name;
  return send(one.path, body);
}
