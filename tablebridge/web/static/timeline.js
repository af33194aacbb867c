// The timeline of a hand: the record as the server gives it, a cursor, and the ways to move it.

import { $, isCommand, say, send, start, toggleKeys } from "./page.js";
import { GUTTER, Lanes } from "./timeline_lanes.js";
import { table, written } from "./timeline_table.js";
import { Why, make, seconds } from "./timeline_why.js";
import { word } from "./words.js";

const { table: name, hand: number, zone } = document.body.dataset;
const path = `/api/tables/${name}/hands/${number}`;
const ZONE_MIN = Number(zone);
const NEAR_PX = 8;
const ZOOM = 1.6;

let hand = null;
let lanes = null;
let why = null;
let access = 0;
let at = 0;
let chosen = null; // the finding that is explained
let pointed = []; // what it rests on, on the lanes
let mark = { from: null, to: null };
let speed = 0; // of playing: 0 stands, below 0 goes back
let played = 0;

const laneName = (lane) => (lane.startsWith("seat ") ? word("seat", { seat: lane.slice(5) }) : word(`lane_${lane}`));
const pad = (value, width = 2) => String(value).padStart(width, "0");

/** The house's time to the millisecond, with its zone, whatever clock this browser has. */
function house(t) {
  let drift = 0;
  for (const [since, by] of hand.drift) if (since <= t) drift = by;
  const wall = new Date(hand.began_wall_ms + t + drift + ZONE_MIN * 60000);
  const sign = ZONE_MIN < 0 ? "−" : "+";
  const off = Math.abs(ZONE_MIN);
  return [`${wall.toISOString().slice(0, 10)} ${wall.toISOString().slice(11, 23)} UTC${sign}${pad(Math.floor(off / 60))}:${pad(off % 60)}`, drift];
}

// The last of these that is not after `t`, by bisection; -1 if there is none.
function before(list, t) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle].t <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function address() {
  const parts = [`t=${at.toFixed(3)}`];
  if (chosen) parts.push(`f=${encodeURIComponent(chosen.id)}`);
  if (mark.from !== null) parts.push(`in=${mark.from.toFixed(3)}`);
  if (mark.to !== null) parts.push(`out=${mark.to.toFixed(3)}`);
  return `#${parts.join("&")}`;
}

let shownEvent = null;

function go(t, { keep = true } = {}) {
  at = Math.min(Math.max(t, lanes.first), hand.end);
  if (at < lanes.from || at > lanes.to) {
    const half = (lanes.to - lanes.from) / 2;
    lanes.show(at - half, at + half);
  }
  lanes.cursor(at, { ...mark, points: pointed });
  const [time, drift] = house(at);
  $("#house").textContent = time;
  $("#handtime").textContent = seconds(at);
  $("#drift").textContent = !hand.synchronised ? word("unsynchronised") : drift ? word("drift", { ms: Math.round(drift) }) : "";
  $("#slide").value = Math.round((1000 * at) / Math.max(1, hand.end));
  const event = hand.events[before(hand.events, at)] ?? null;
  if (event !== shownEvent) {
    shownEvent = event;
    $("#now").replaceChildren(event ? make("ol", {}, make("li", {}, make("code", {}, event.line), make("small", {},
      ` ${word("row", { number: event.n })} · ${seconds(event.t)} · ${word(`basis ${event.basis}`)}${event.by ? ` · ${event.by}` : ""}`))) : word("noevent"));
    $("#table").replaceChildren(event ? table(event.after) : "");
  }
  if (keep) history.replaceState(null, "", address());
}

function pick(found, { move = true } = {}) {
  chosen = found;
  pointed = [];
  for (const n of found?.events ?? []) {
    const event = why.events.get(n);
    if (!event) continue;
    for (const lane of event.lanes) pointed.push({ t: event.t, lane });
    for (const index of event.readings) pointed.push({ t: hand.readings[index][1], lane: hand.readings[index][5] });
  }
  for (const button of document.querySelectorAll("[data-finding]")) button.setAttribute("aria-pressed", String(button.dataset.finding === found?.id));
  $("#evidence").replaceChildren(found ? why.evidence(found) : "");
  if (found && move) go(found.t);
}

function step(list, by) {
  const here = before(list, at + (by > 0 ? 0.0005 : -0.0005));
  const next = list[by > 0 ? here + 1 : here];
  if (next) go(next.t);
  return next;
}

const stepFinding = (by) => {
  const ordered = hand.findings;
  const here = chosen ? ordered.indexOf(chosen) : before(ordered, at) + (by > 0 ? 0 : 1);
  const next = ordered[here + by];
  if (next) pick(next);
};

function play(direction) {
  speed = direction * Number($("#rate").value);
  played = performance.now();
  requestAnimationFrame(frame);
}

function stop() {
  speed = 0;
  go(at);
}

function frame(now) {
  if (!speed) return;
  const t = at + (now - played) * speed;
  played = now;
  go(t, { keep: false });
  if (at <= lanes.first || at >= hand.end) stop();
  else requestAnimationFrame(frame);
}

function zoom(by) {
  const width = (lanes.to - lanes.from) * by;
  const share = (at - lanes.from) / (lanes.to - lanes.from);
  const whole = hand.end - lanes.first;
  if (width >= whole) lanes.show(lanes.first, Math.max(1000, hand.end));
  else lanes.show(at - width * share, at + width * (1 - share));
}

function copy() {
  const text = `${house(at)[0]} ${location.href}`;
  navigator.clipboard?.writeText(text).then(() => say(word("copied", { text })), () => say(word("uncopied"))) ?? say(word("uncopied"));
}

function marked() {
  go(at);
  say(word("marks", { from: mark.from === null ? "…" : seconds(mark.from), to: mark.to === null ? "…" : seconds(mark.to) }));
}

const setIn = () => { mark.from = at; if (mark.to !== null && mark.to < at) mark.to = null; marked(); };
const setOut = () => { mark.to = at; if (mark.from !== null && mark.from > at) mark.from = null; marked(); };

async function bookmark() {
  const reply = await send(`${path}/bookmark`, { at_wall_ms: Math.round(hand.began_wall_ms + at), note: chosen?.id ?? "" });
  if (reply.ok) {
    say(word("marked"));
    await reload();
  }
}

const KEYS = {
  ArrowLeft: () => step(hand.events, -1),
  ArrowRight: () => step(hand.events, 1),
  PrevFinding: () => stepFinding(-1),
  NextFinding: () => stepFinding(1),
  KeyJ: () => play(-1),
  KeyK: stop,
  KeyL: () => play(1),
  Comma: () => go(at - 100),
  Period: () => go(at + 100),
  Equal: () => zoom(1 / ZOOM),
  Minus: () => zoom(ZOOM),
  BracketLeft: setIn,
  BracketRight: setOut,
  KeyW: () => $("#why").focus(),
  KeyB: bookmark,
  KeyY: copy,
};

function onKey(event) {
  if (event.key === "?" && isCommand(event)) return toggleKeys();
  const stepping = ["ArrowLeft", "ArrowRight", "Comma", "Period"].includes(event.code);
  if (!hand || event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey || (event.repeat && !stepping)) return;
  const code = event.shiftKey && event.code === "ArrowLeft" ? "PrevFinding" : event.shiftKey && event.code === "ArrowRight" ? "NextFinding" : event.code.replace("NumpadAdd", "Equal").replace("NumpadSubtract", "Minus");
  const act = KEYS[code];
  if (!act) return;
  event.preventDefault();
  act();
}

function onClick(event) {
  const button = event.target.closest("[data-key], [data-finding], [data-pick], [data-go]");
  if (!button || !hand) return;
  if (button.dataset.key) KEYS[button.dataset.key]();
  const id = button.dataset.finding ?? button.dataset.pick;
  if (id) pick(hand.findings.find((found) => found.id === id));
  if (button.dataset.go?.startsWith("r")) $("#evidence").replaceChildren(why.backwards(Number(button.dataset.go.slice(1))));
  if (button.dataset.t) go(Number(button.dataset.t));
}

// A click on the lanes goes there, and to what stands there.
function onLanes(event) {
  const box = $("#lanes").getBoundingClientRect();
  const x = event.clientX - box.x;
  if (x < GUTTER) return;
  const lane = lanes.lane(event.clientY - box.y);
  const near = (NEAR_PX * (lanes.to - lanes.from)) / (lanes.width - GUTTER);
  const t = lanes.t(x);
  const closest = (list, of) => list.filter((one) => Math.abs(of(one) - t) <= near).sort((a, b) => Math.abs(of(a) - t) - Math.abs(of(b) - t))[0];
  const found = lane === "findings" && closest(hand.findings, (one) => one.t);
  if (found) return pick(found);
  const happened = closest(hand.events.filter((one) => one.lanes.includes(lane)), (one) => one.t);
  if (happened) {
    $("#evidence").replaceChildren(make("ol", {}, why.event(happened)));
    return go(happened.t);
  }
  const read = closest(hand.readings.filter((one) => one[5] === lane), (one) => one[1]);
  if (read) $("#evidence").replaceChildren(why.backwards(hand.readings.indexOf(read)));
  return go(read ? read[1] : t);
}

function lists() {
  const findings = hand.findings.map((found) => why.finding(found));
  $("#findings").replaceChildren(...(findings.length ? findings : [make("li", {}, word("nofindings"))]));
  const acts = hand.acts.map((act) => make("li", {}, make("button", { type: "button", class: "link", "data-t": act.t, "data-go": "a" }, `${act.alert} → ${act.to}`), ` ${act.by} `,
    make("small", {}, `${word("row", { number: act.n })} · ${seconds(act.t)}${act.note ? ` · ${act.note}` : ""}`)));
  $("#rulings").replaceChildren(...(acts.length ? acts : [make("li", {}, word("norulings"))]));
  receipt();
  const said = { reviewed: "reviewed", note: "noted", bookmark: "bookmarked" };
  $("#reviews").replaceChildren(...hand.reviews.map((one) => make("li", {}, word(said[one.kind], { who: one.by, note: one.note }))));
}

// What stands on paper: the seats as the hand left them, and all that happened. Faces are those that this page was given.
function receipt() {
  const seats = hand.events.at(-1)?.after[9] ?? [];
  $("#receipt-seats").replaceChildren(...seats.filter(([, is]) => is !== "empty").map(([place, , named, stack, , , faces, last, won]) => make("li", {},
    make("b", {}, word("seat", { seat: place })), [named && ` · ${named}`, ` · ${word("stack", { amount: stack })}`, last && ` · ${last}`, won && ` · +${won}`,
      faces.length && ` · ${faces.map(written).join(" ")}`].filter(Boolean).join(""))));
  $("#receipt-acts").replaceChildren(...hand.events.map((event) => make("li", {}, make("code", {}, event.line),
    make("small", {}, ` ${seconds(event.t)} · ${word("row", { number: event.n })}${event.by ? ` · ${event.by}` : ""}`))));
}

function state() {
  const record = $("#record");
  const { broken, why: reason, number: to } = hand.chain;
  record.classList.toggle("broken", broken > 0);
  if (broken) record.textContent = word("broken", { number: broken, why: reason });
  else verify(to);
  $("#differs").hidden = !hand.differences;
  $("#differs").textContent = hand.differences ? word("differs", { count: hand.differences, software: hand.software }) : "";
  if (!hand.kept) say(word("forgotten"));
}

// The whole chain is checked a part at a time, so that the engine is never held up.
async function verify() {
  const record = $("#record");
  let after = 0;
  let hash = "";
  for (;;) {
    const answer = await fetch(`/api/tables/${name}/chain?after=${after}${hash && `&hash=${hash}`}`);
    const chain = await answer.json();
    if (!answer.ok) {
      record.textContent = word("unverified", { why: chain.sentence });
      return;
    }
    if (chain.broken) {
      record.classList.add("broken");
      record.textContent = word("broken", { number: chain.broken, why: chain.why });
      return;
    }
    if (chain.number === after || chain.number >= chain.end) {
      record.classList.add("good");
      record.textContent = word("verified", { first: hand.first, last: hand.last, number: chain.number });
      return;
    }
    record.textContent = word("verifying", { number: chain.number, end: chain.end });
    ({ number: after, hash } = chain);
  }
}

function follow() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const value = (key) => (wanted.has(key) && Number.isFinite(Number(wanted.get(key))) ? Number(wanted.get(key)) : null);
  mark = { from: value("in"), to: value("out") };
  const found = hand.findings.find((one) => one.id === wanted.get("f"));
  const t = value("t");
  if (found) pick(found, { move: t === null });
  if (t !== null || !found) go(t ?? hand.findings[0]?.t ?? 0);
  if (t === null && !found && hand.findings.length) pick(hand.findings[0]);
}

async function reload() {
  const answer = await fetch(`${path}/timeline${access ? `?access=${access}` : ""}`);
  const read = await answer.json();
  if (!answer.ok) {
    $("#record").classList.add("broken");
    $("#record").textContent = word("unread", { why: read.sentence });
    return;
  }
  const fresh = hand === null;
  hand = read;
  why = new Why(hand, laneName);
  const window_ = lanes && [lanes.from, lanes.to];
  lanes = new Lanes($("#lanes"), hand);
  if (window_) lanes.show(...window_);
  shownEvent = null;
  lists();
  if (fresh) {
    state();
    follow();
  } else {
    pick(hand.findings.find((found) => found.id === chosen?.id) ?? null, { move: false });
    go(at);
  }
  document.body.dataset.read = String(Number(document.body.dataset.read ?? 0) + 1);
}

async function review(body) {
  const reply = await send(`${path}/review`, body);
  if (!reply.ok) return;
  say(word("kept"));
  await reload();
}

document.addEventListener("keydown", onKey);
document.addEventListener("click", onClick);
$("#lanes").addEventListener("click", (event) => hand && onLanes(event));
$("#slide").addEventListener("input", (event) => hand && go((Number(event.target.value) / 1000) * hand.end, { keep: false }));
$("#slide").addEventListener("change", () => hand && go(at));
$("#rate").addEventListener("change", () => speed && play(Math.sign(speed)));
$("#review").addEventListener("submit", (event) => {
  event.preventDefault();
  review({ kind: "note", note: $("#note").value }).then(() => { $("#note").value = ""; });
});
$("#reviewed").addEventListener("click", () => review({ kind: "reviewed", note: "" }));
$("#unmask")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const reply = await send(`${path}/access`, { reason: $("#reason").value });
  if (!reply.ok) return;
  [access] = reply.entries;
  await reload();
  say(word("shown", { row: access }));
});
$("#print").addEventListener("click", () => print());
addEventListener("hashchange", () => hand && follow());
addEventListener("resize", () => lanes?.draw());
matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => lanes?.draw());

start();
reload();
