// What the staff pages share: liveness on show, ages that count, blocks that come in, and writes that are sent once.

import { follow } from "./live.js";
import { morph, parse } from "./morph.js";
import { word } from "./words.js";

const desk = document.getElementById("desk");
const status = document.getElementById("live");
const notice = document.getElementById("told");
// The texts of this file, in whichever page it is.
const ours = (name, values) => word(`page: ${name}`, values);
const clock = (ms) => new Date(ms).toLocaleTimeString(document.documentElement.lang, { hourCycle: "h23" });

let live = null;
let away = ""; // what the server reports as away, as text
let shown = null;

export const $ = (selector) => document.querySelector(selector);
export const dead = () => desk.disabled;
export const ageS = () => live?.ageS() ?? 0;
export const nowMs = () => live?.nowMs() ?? 0;

export function say(text, failed = false) {
  notice.textContent = text;
  notice.hidden = !text;
  notice.classList.toggle("failed", failed);
}

function show(state, serverMs) {
  shown = [state, serverMs];
  document.body.dataset.state = state;
  document.body.dataset.away = away;
  const since = serverMs > 0 ? clock(serverMs) : "";
  const lost = since ? ours("lost since", { time: since }) : ours("lost");
  status.textContent = state === "connecting" ? ours("connecting") : state === "live" ? away || ours("live") : state === "stale" ? ours("stale", { time: since || "…" })
    : away ? ours("because", { state: lost, reason: away }) : lost;
  desk.disabled = state === "lost";
  desk.title = state === "lost" ? ours("unreachable") : "";
}

export function span(seconds) {
  const s = Math.max(0, Math.floor(seconds));
  if (s >= 86400) return ours("days", { number: Math.floor(s / 86400) });
  if (s >= 3600) return ours("hours", { time: `${Math.floor(s / 3600)}:${String(Math.floor(s / 60) % 60).padStart(2, "0")}` });
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
}

// An element whose text stays the same is left alone: hundreds of ages are on a page.
function fill(selector, text) {
  for (const element of document.querySelectorAll(selector)) {
    const now = text(element.dataset);
    if (element.textContent !== now) element.textContent = now;
  }
}

export function tick() {
  const now = live?.nowMs() ?? 0;
  if (now < 1e9) return;
  fill("[data-since]", ({ since }) => span((now - Number(since)) / 1000));
  fill("time[data-until]", ({ until }) => span((Number(until) - now) / 1000));
  for (const element of document.querySelectorAll("[data-last-minute]")) {
    const left = Number(element.dataset.lastMinute) - now;
    element.hidden = left <= 0 || left > 60_000;
  }
  // The time of the house, whatever the browser has.
  fill("[data-clock]", ({ clock: aheadS }) => new Date(now + Number(aheadS) * 1000).toISOString().slice(11, 19));
  fill("[data-beat]", () => ours("seconds", { number: Math.round(live.ageS()) }));
}

export function put(element) {
  const old = document.getElementById(element.id);
  if (old) morph(old, element);
}

// Blocks that came since the last frame, in their order; a page that is hidden has no frames.
function inFrames(take) {
  let waiting = [];
  let frame = 0;
  function flush() {
    cancelAnimationFrame(frame);
    frame = 0;
    const blocks = waiting;
    waiting = [];
    for (const html of blocks) take(parse(html));
    if (blocks.length) tick();
  }
  function add(html) {
    waiting.push(html);
    if (document.hidden) flush();
    else if (!frame) frame = requestAnimationFrame(flush);
  }
  document.addEventListener("visibilitychange", flush);
  return { add, flush };
}

/** Follows the page's stream. `block(element)` may take a block over by answering true; `events`: who takes which other events. */
export function start({ block, beat, events } = {}) {
  const blocks = inFrames((element) => block?.(element) || put(element));
  live = follow(document.body.dataset.stream, {
    events,
    block: blocks.add,
    beat(now) {
      blocks.flush(); // what a page says of its age is true of what it shows
      if (away !== now.away) {
        away = now.away;
        if (shown) show(...shown);
      }
      for (const element of document.querySelectorAll("[data-alive]")) element.textContent = now.alive;
      const typing = [...document.querySelectorAll("input:not([type=hidden])")].some((input) => input.type !== "checkbox" && input.value);
      if (now.assets !== document.body.dataset.assets && !typing) location.reload();
      beat?.(now);
      tick();
    },
    state: show,
  });
  setInterval(tick, 1000);
}

/** A new name for a write or a question. */
export function key() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Sends one write, once. Answers the reply with whether it was done (`ok`); what failed is said on the page. */
export async function send(path, body) {
  if (dead()) {
    say(ours("not connected"), true);
    return { ok: false };
  }
  const before = notice.textContent;
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: key(), ...body }),
    });
    const reply = await answer.json();
    if (!answer.ok) say(ours("not done", { reason: reply.sentence }), true);
    else if (reply.sentence || notice.textContent === before) say(reply.sentence); // what was said meanwhile stays
    return { ...reply, ok: answer.ok };
  } catch {
    say(ours("no answer"), true);
    return { ok: false };
  }
}

/** Whether a key press is a command: not in a text field, not held down, no modifier of the browser's. */
export function isCommand(event) {
  const typing = event.target.closest("input, textarea, select");
  return !typing && !event.repeat && !event.ctrlKey && !event.metaKey && !event.altKey;
}

export function toggleKeys() {
  const map = document.getElementById("keys");
  if (map) map.hidden = !map.hidden;
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-keys]")) toggleKeys();
  if (event.target === notice) say("");
});
