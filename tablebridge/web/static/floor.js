// The floor page: the queue of alerts, what a person does to one, and the keys for it.

import { dead, isCommand, put, say, send, start, tick, toggleKeys } from "./page.js";

import "./shift.js";

const SHIFT = "tablebridge-shift";
const shift = document.querySelector("#shift button");
const HOLD_MS = 5000;
const announce = document.getElementById("announce");
const news = document.getElementById("news");
const known = new Set([...document.querySelectorAll(".alert")].map((card) => card.id));
const sending = new Set();
let held = null; // the newest queue, while a hand is on the shown one
let touched = -HOLD_MS;
let asked = null; // the press that wants a second one: what it would do

const cards = () => [...document.querySelectorAll("#queue .alert")];
const chosen = () => document.activeElement?.closest(".alert");
const busy = () => performance.now() - touched < HOLD_MS;

function announceFresh(queue) {
  const fresh = [...queue.querySelectorAll(".alert")].filter((card) => !known.has(card.id));
  for (const card of fresh) known.add(card.id);
  if (fresh.length) announce.textContent = fresh.map((card) => card.dataset.spoken).join(". ");
}

// While a finger or the focus is on the queue, its cards change where they are and none comes or goes.
function hold(queue) {
  held = queue;
  const fresh = [...queue.querySelectorAll(".alert")];
  const more = fresh.filter((card) => !document.getElementById(card.id)).length;
  for (const card of fresh) put(card.cloneNode(true));
  news.textContent = more ? `${more} new` : "";
  news.hidden = !more;
}

function release() {
  if (!held) return;
  put(held);
  held = null;
  news.hidden = true;
  tick();
}

// A ruling of the table, and whatever is done in another's place, wants a second press within a few seconds.
const anothers = (card) => (card.dataset.taken !== document.body.dataset.me ? card.dataset.taken ?? "" : "");

function sure(card, button) {
  const { choice, to } = button.dataset;
  const other = anothers(card);
  if (!choice && !other) return true;
  const what = `${card.id} ${to} ${choice ?? ""}`;
  if (asked?.what === what && performance.now() - asked.at < HOLD_MS) return true;
  asked = { what, at: performance.now() };
  button.classList.add("sure");
  setTimeout(() => button.classList.remove("sure"), HOLD_MS);
  const place = other ? `${other} has taken this alert. ` : "";
  say(`${place}Press again: ${button.querySelector("b")?.textContent ?? button.firstChild.textContent.trim()}${
    other ? `, in the place of ${other}` : ""}.`);
  return false;
}

async function change(card, button) {
  if (!button || dead() || sending.has(card.id) || !sure(card, button)) return;
  asked = null;
  const note = card.querySelector("input[name=note]");
  const label = [...button.childNodes];
  sending.add(card.id);
  button.setAttribute("aria-busy", "true");
  button.textContent = "sending…";
  const { table, alert } = card.dataset;
  const { to, choice = "" } = button.dataset;
  const body = { note: note?.value ?? "", line: choice, over: Boolean(anothers(card)) };
  const done = await send(`/api/tables/${table}/alerts/${encodeURIComponent(alert)}/${to}`, body);
  if (done.ok && note) note.value = "";
  sending.delete(card.id);
  if (button.isConnected && button.textContent === "sending…") button.replaceChildren(...label);
  button.removeAttribute("aria-busy");
  touched = -HOLD_MS;
  release();
}

function choose(step) {
  const all = cards();
  const at = all.indexOf(document.activeElement?.closest(".alert"));
  all[Math.min(all.length - 1, Math.max(0, at + step))]?.focus();
}

// A key acts on the alert that was chosen and on no other: what came in a moment ago may stand on top.
function act(to) {
  const card = chosen();
  if (!card) return say("Choose an alert first, with the arrow keys.", true);
  const offered = card.querySelector("[data-choice]");
  if (to === "ruled" && offered) return offered.focus();
  return change(card, card.querySelector(`[data-to="${to}"]`));
}

const KEYS = {
  ArrowDown: () => choose(1),
  ArrowUp: () => choose(-1),
  KeyA: () => act("acknowledged"),
  KeyT: () => act("taken"),
  KeyG: () => act("taken"),
  KeyR: () => act("ruled"),
  Escape: () => { document.activeElement?.blur(); say(""); },
};

document.addEventListener("keydown", (event) => {
  if (event.target.name === "note" && event.key === "Enter" && !event.repeat) {
    const card = event.target.closest(".alert");
    const ruled = card.querySelector('[data-to="ruled"]:not([data-choice])');
    if (ruled) change(card, ruled);
    else say("Choose one of the rulings; the note goes with it.", true);
    return;
  }
  if (event.repeat && event.target.closest(".alert button")) event.preventDefault(); // a key held down presses once
  if (!isCommand(event)) return;
  if (event.key === "?") return toggleKeys();
  if (!KEYS[event.code] || event.shiftKey) return;
  event.preventDefault();
  KEYS[event.code]();
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-to]");
  if (button) change(button.closest(".alert"), button);
  if (event.target === news) {
    touched = -HOLD_MS;
    release();
  }
});

for (const kind of ["pointerdown", "focusin", "keydown", "input"]) {
  document.addEventListener(kind, (event) => {
    if (event.target.closest?.("#queue .alert")) touched = performance.now();
  });
}

// Whether this page is on shift. What a shift needs listens to the event, whose detail says whether it began.
function showShift(on) {
  shift.setAttribute("aria-pressed", String(on));
  const text = shift.firstElementChild;
  text.textContent = on ? text.dataset.on : text.dataset.off;
  document.body.dataset.shift = on ? "on" : "";
  sessionStorage.setItem(SHIFT, on ? "on" : "");
  shift.dispatchEvent(new CustomEvent("shift", { bubbles: true, detail: { on } }));
}

if (shift) {
  shift.addEventListener("click", () => showShift(document.body.dataset.shift !== "on"));
  if (sessionStorage.getItem(SHIFT) === "on") showShift(true);
}

setInterval(() => busy() || release(), 500);

start({
  block(element) {
    if (element.id !== "queue") return false;
    announceFresh(element);
    if (!busy()) {
      held = null;
      return false;
    }
    hold(element);
    return true;
  },
});
