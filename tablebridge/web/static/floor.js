// The floor page: the queue of alerts, what a person does to one, and the keys for it.

import { dead, isCommand, put, say, send, start, tick, toggleKeys } from "./page.js";

const HOLD_MS = 5000;
const announce = document.getElementById("announce");
const news = document.getElementById("news");
const known = new Set([...document.querySelectorAll(".alert")].map((card) => card.id));
const sending = new Set();
let held = null; // the newest queue, while a hand is on the shown one
let touched = -HOLD_MS;

const cards = () => [...document.querySelectorAll("#queue .alert")];
const chosen = () => document.activeElement?.closest(".alert") ?? cards()[0];
const busy = () => performance.now() - touched < HOLD_MS;

function tell(queue) {
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

async function change(card, to) {
  const button = card?.querySelector(`[data-to="${to}"]`);
  if (!button || dead() || sending.has(card.id)) return;
  const note = card.querySelector("input[name=note]");
  const label = button.textContent;
  sending.add(card.id);
  button.setAttribute("aria-busy", "true");
  button.textContent = "sending…";
  const { table, alert } = card.dataset;
  const done = await send(`/api/tables/${table}/alerts/${encodeURIComponent(alert)}/${to}`, { note: note?.value ?? "" });
  if (done.ok && note) note.value = "";
  sending.delete(card.id);
  if (button.isConnected && button.textContent === "sending…") button.textContent = label;
  button.removeAttribute("aria-busy");
  touched = -HOLD_MS;
  release();
}

function choose(step) {
  const all = cards();
  const at = all.indexOf(document.activeElement?.closest(".alert"));
  all[Math.min(all.length - 1, Math.max(0, at + step))]?.focus();
}

const KEYS = {
  ArrowDown: () => choose(1),
  ArrowUp: () => choose(-1),
  KeyA: () => change(chosen(), "acknowledged"),
  KeyT: () => change(chosen(), "taken"),
  KeyG: () => change(chosen(), "taken"),
  KeyR: () => change(chosen(), "ruled"),
  Escape: () => { document.activeElement?.blur(); say(""); },
};

document.addEventListener("keydown", (event) => {
  if (!isCommand(event)) return;
  if (event.key === "?") return toggleKeys();
  if (!KEYS[event.code] || event.shiftKey) return;
  event.preventDefault();
  KEYS[event.code]();
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-to]");
  if (button) change(button.closest(".alert"), button.dataset.to);
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

setInterval(() => busy() || release(), 500);

start({
  block(element) {
    if (element.id !== "queue") return false;
    tell(element);
    if (!busy()) {
      held = null;
      return false;
    }
    hold(element);
    return true;
  },
});
