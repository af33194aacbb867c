// The dealer's page: facts, steps and the call of the floor. Nothing here asks in a dialog, scrolls or sounds; what is asked for
// a fact stands where the facts stand, and goes by itself.

import { $, ageS, dead, isCommand, nowMs, put, say, send, span, start, toggleKeys } from "./page.js";
import { word } from "./words.js";

const REASON_S = 3;
const ASKS_MS = 10000;
const STALE_S = 5;
const SAID_S = 6;
const TWICE_MS = 300; // two presses of the same within so long are one finger's
const MOST_WAITING = 4;
const COUNTS = [0, 1, 2, 3, 4, 5, 6, 7];
const REASONS = { rule: "rule", cards: "cards_deck", chips: "chips", player: "player", device: "device", other: "other" };
const { table } = document.body.dataset;
const facts = $("#facts");
const panel = $("#panel");
let asking = null; // what the panel asks for: its timers
const waiting = new Set(); // what is under way, and what waits behind it
let before = Promise.resolve(); // until what was pressed last is answered
let latest = { what: "", at: -TWICE_MS };
let past = false; // further notices are shown

const path = (name) => `/api/tables/${table}/dealer/${name}`;

function button(text, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.addEventListener("click", act);
  return made;
}

function closePanel() {
  clearInterval(asking?.timer);
  asking = null;
  panel.hidden = true;
  facts.hidden = false;
  panel.replaceChildren();
}

/** Shows buttons where the facts stand; without a choice `over` is called after `ms`, or the facts are there again. */
function ask(text, buttons, ms = ASKS_MS, over = closePanel) {
  closePanel();
  const said = document.createElement("p");
  const ends = performance.now() + ms;
  const step = () => {
    const left = Math.max(0, Math.ceil((ends - performance.now()) / 1000));
    const now = text(left);
    if (said.textContent !== now) said.textContent = now;
    if (performance.now() >= ends) over();
  };
  panel.replaceChildren(said, ...buttons);
  panel.hidden = false;
  facts.hidden = true;
  asking = { timer: setInterval(step, 100) };
  step();
}

/**
 * Writes one thing after what was pressed before. The same pressed twice is written once, and the page says so. `what`: what
 * is the same, whatever the table has become meanwhile. The answer has `said` if the page has said why it was not done.
 */
async function write(name, body, what = JSON.stringify([name, body])) {
  const now = performance.now();
  const twice = waiting.has(what) || (latest.what === what && now - latest.at < TWICE_MS);
  if (twice || waiting.size >= MOST_WAITING) {
    say(word(twice ? "twice" : "too_many"), !twice);
    return { ok: false, said: true };
  }
  latest = { what, at: now };
  if (waiting.size) say(word("waits"));
  waiting.add(what);
  const turn = before.then(() => send(path(name), body));
  before = turn;
  try {
    return await turn;
  } finally {
    waiting.delete(what);
  }
}

// The call of the floor: it lights when the server has it, and never before.

async function callFloor(reason) {
  closePanel();
  const pressed = $("[data-call]");
  const label = pressed ? [...pressed.childNodes] : [];
  pressed?.replaceChildren(word("sending"));
  const reply = await write("lines", { lines: [`call-floor ${reason}`.trim()] });
  if (pressed?.isConnected && pressed.textContent === word("sending")) pressed.replaceChildren(...label);
  if (!reply.ok && !reply.said) say(word("not_called"), true);
}

function askReason() {
  if (!$("[data-call]")) return;
  if (dead()) {
    say(word("not_called"), true);
    return;
  }
  const reasons = Object.entries(REASONS).map(([reason, name]) => button(word(name), () => callFloor(reason)));
  ask((left) => word("reason", { left }), [...reasons, button(word("cancel"), closePanel)], REASON_S * 1000, () => callFloor(""));
}

function askPin(id, name) {
  let typed = "";
  const keys = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map((digit) => button(String(digit), () => {
    if (typed.length < 12) typed += digit;
  }));
  const enter = button(word("enter"), async () => {
    const pin = typed;
    typed = "";
    const reply = await write("settled", { person: id, pin });
    if (reply.ok) closePanel();
  });
  enter.classList.add("go");
  const remove = button(word("delete"), () => { typed = typed.slice(0, -1); });
  ask(() => word("pin", { person: name, typed: "•".repeat(typed.length) }), [...keys, remove, enter, button(word("cancel"), closePanel)], 60000);
}

function askWho(from = 0) {
  const all = [...document.querySelectorAll("[data-person]")].map((one) => [one.dataset.person, one.textContent]);
  const coming = all.find(([, name]) => name === $("#call").dataset.coming);
  if (coming || all.length === 1) {
    askPin(...(coming ?? all[0]));
    return;
  }
  const shown = all.slice(from, from + 8).map(([id, name]) => button(name, () => askPin(id, name)));
  if (all.length > 8) shown.push(button(word("more"), () => askWho(from + 8 < all.length ? from + 8 : 0)));
  ask(() => word("who"), [...shown, button(word("cancel"), closePanel)], 30000);
}

// Facts: one tap, and a seat where it needs one.

async function report(line, name) {
  closePanel();
  const reply = await write("lines", { lines: [line] });
  if (reply.ok && !reply.sentence) say(word("reported", { fact: name }));
}

/** Asks who is away now, or is back. The line names all who are away: whoever it does not name is there. */
function askAway(name) {
  const absent = $("#ring").dataset.absent.split(" ").filter(Boolean);
  const buttons = $("#ring").dataset.players.split(" ").filter(Boolean).map((seat) => {
    const back = absent.includes(seat);
    const said = word(back ? "isBack" : "away", { seat });
    const line = back ? `arrives ${seat}` : `absent ${[...absent, seat].sort((one, other) => one - other).join(" ")}`;
    return button(said, () => report(line, said));
  });
  ask(() => name, [...buttons, button(word("cancel"), closePanel)]);
}

function fact(pressed) {
  const { fact: line, ask: wants } = pressed.dataset;
  const name = pressed.querySelector("span").textContent;
  if (!wants) {
    report(line, name);
    return;
  }
  if (wants === "away") {
    askAway(name);
    return;
  }
  const seats = [...document.querySelectorAll("#ring .mark:not(.none):not(.folded)")].map((mark) => mark.id.slice("mark-".length));
  const chosen = (seat) => {
    const written = line.replace("{seat}", seat);
    if (wants === "seat") {
      report(written, name);
      return;
    }
    const counts = COUNTS.map((count) => button(word("cards", { count }), () => report(written.replace("{count}", count), name)));
    ask(() => word("seat", { seat }), [...counts, button(word("cancel"), closePanel)]);
  };
  const buttons = seats.map((seat) => button(word("seat", { seat }), () => chosen(seat)));
  ask(() => name, [...buttons, button(word("cancel"), closePanel)]);
}

const tick = (step) => write("lines", {
  lines: [`step ${step.dataset.finding} ${step.dataset.step}${step.getAttribute("aria-checked") === "true" ? " open" : ""}`],
}, `step ${step.dataset.finding} ${step.dataset.step}`);

function takeBack() {
  const undo = $("[data-undo]");
  if (undo && !undo.disabled) write("undo", { entry: Number(undo.dataset.undo) }, "undo");
}

// What stands on the page.

function showPast(open) {
  past = open;
  const list = $("#past");
  const older = $("#older");
  if (list) list.hidden = !open || !older;
  older?.setAttribute("aria-expanded", String(open));
}

const told = { text: "", at: 0 };

/** What was said goes by itself: nobody has a hand free to put it away. */
function forgetSaid() {
  const text = $("#told").hidden ? "" : $("#told").textContent;
  if (text !== told.text) Object.assign(told, { text, at: performance.now() });
  else if (text && performance.now() - told.at > SAID_S * 1000) say("");
}

function each() {
  forgetSaid();
  const offline = $("#offline");
  const away = ageS() > STALE_S || ["stale", "lost"].includes(document.body.dataset.state);
  offline.hidden = !away;
  const text = away ? word("offline", { since: span(ageS()) }) : "";
  if (offline.textContent !== text) offline.textContent = text;
  const undo = $("[data-undo]");
  if (undo) {
    const left = Math.ceil((Number(undo.dataset.until) - nowMs()) / 1000);
    undo.disabled = left <= 0;
    undo.querySelector("[data-left]").textContent = left > 0 ? String(Math.min(10, left)) : "";
  }
  const settled = $("[data-fresh]");
  if (settled) settled.hidden = nowMs() < 1e9 || nowMs() > Number(settled.dataset.fresh);
}

function block(element) {
  put(element);
  if (element.id === "now") document.body.dataset.stage = element.dataset.stage;
  if (element.id === "past") showPast(past);
  each();
  return true;
}

start({ block });
setInterval(each, 250);

document.addEventListener("click", (event) => {
  const pressed = event.target.closest("button");
  if (!pressed || pressed.disabled) return;
  if (pressed.dataset.fact) fact(pressed);
  else if (pressed.dataset.step) tick(pressed);
  else if ("call" in pressed.dataset) askReason();
  else if ("settled" in pressed.dataset) write("lines", { lines: ["floor-settled"] });
  else if ("pin" in pressed.dataset) askWho();
  else if ("undo" in pressed.dataset) takeBack();
  else if ("older" in pressed.dataset) showPast(!past);
});

document.addEventListener("keydown", (event) => {
  if (!isCommand(event)) return;
  if (event.key === "?") toggleKeys();
  else if (event.code === "F13") askReason();
  else if (event.code === "F14") fact($('[data-fact="boxed ??"]'));
  else if (event.code === "F15") fact($('[data-fact="exposed"]'));
  else if (event.code === "F16") {
    const next = $('#notice [data-step][aria-checked="false"]');
    if (next) tick(next);
  } else if (event.code === "F17") takeBack();
  else if (event.key === "Escape") closePanel();
  else return;
  event.preventDefault();
});
