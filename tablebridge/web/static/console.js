// The operator's console: keys by their place on the keyboard, one entry line, nothing written before it is confirmed.

import { hasTurn, read } from "./entry.js";
import { $, dead, isCommand, say, send, start, toggleKeys } from "./page.js";

const NEXT_STREET = { preflop: "flop", flop: "turn", turn: "river" };
const WHOLE = { flop: 3, turn: 4, river: 5 }; // cards on a board
const { table } = document.body.dataset;
const PHRASES = document.body.dataset.phrases.split("|");
const form = $("#entry");
const text = $("#text");
let verb = "";
let picked = null; // the seat chosen by hand, else null
let withdrawing = null; // a line to be taken back
let letters = true;
let last = Promise.resolve();

const turn = () => $("#turn").dataset;
const toAct = () => Number(turn().toAct) || null;
const seat = () => picked ?? toAct();
const number = (value) => Number(value).toLocaleString("en-GB").replaceAll(",", "\u202f");
const over = () => !turn().street || turn().street === "over" || turn().street === "void";

// The street that the board has only in part, as the second of two boards has none of it yet, else the next one.
function nextStreet() {
  const { street, lies } = turn();
  return Number(lies) < WHOLE[street] ? street : NEXT_STREET[street] ?? "flop";
}

function due() {
  if (picked === null || picked === toAct()) return Number(turn().toCall) || 0;
  const bets = [...document.querySelectorAll("#drawing [data-bet]")];
  const own = bets.find((one) => Number(one.dataset.seat) === picked);
  return Math.max(0, ...bets.map((one) => Number(one.dataset.bet))) - Number(own?.dataset.bet ?? 0);
}

function reading() {
  if (withdrawing) return { undo: Number(withdrawing.dataset.entry), line: `takes back: ${withdrawing.dataset.line}` };
  return read(verb, seat(), text.value);
}

function refresh() {
  if (!form) return;
  const now = reading();
  const act = toAct();
  const call = due();
  $("#due span").textContent = call > 0 ? `Call ${number(call)}` : "Check";
  $("#bet span").textContent = turn().min && !call ? `Bet ${number(turn().min)}+` : "Bet";
  $("#raise span").textContent = turn().min && call ? `Raise ${number(turn().min)}+` : "Raise";
  $("#next span").textContent = over() ? "New hand" : "Hand over";
  for (const [id, word] of [["bet", "bet"], ["raise", "raise"]]) {
    $(`#${id}`).classList.toggle("may", (turn().may ?? "").split(" ").includes(word));
  }
  $("#seat").textContent = seat() ? `seat ${seat()}` : "no seat";
  $("#seat").classList.toggle("other", picked !== null && picked !== act);
  $("#verb").textContent = verb;
  $("#verb").hidden = !verb;
  const out = now?.line && picked !== null && act !== null && picked !== act && hasTurn(now.line);
  const below = now?.total && turn().min && now.total < Number(turn().min) && seat() === act;
  const line = $("#reading");
  line.classList.toggle("warn", Boolean(out || below));
  line.classList.toggle("unclear", Boolean(now?.why));
  line.textContent = !now ? "" : now.why ?? [
    out ? `▲ Out of turn: seat ${picked} acts, seat ${act} is to act.` : "",
    below ? `▲ The minimum is ${number(turn().min)}.` : "",
    now.undo ? `Enter ${now.line}` : `Enter writes: ${now.line}`].filter(Boolean).join(" ");
}

function clear() {
  verb = "";
  picked = null;
  withdrawing = null;
  text.value = "";
  text.blur();
  refresh();
}

// One write after the other, in the order of the keys. What was refused comes back into an empty line.
function write(path, body, kept) {
  last = last.then(async () => {
    const done = await send(`/api/tables/${table}/${path}`, body);
    if (!done.ok && kept && !text.value && !verb) {
      verb = kept.verb;
      picked = kept.picked;
      text.value = kept.text;
      refresh();
    }
  });
}

function enter() {
  const now = reading();
  if (!now || now.why) {
    if (now) say(now.why, true);
    return;
  }
  if (dead()) return;
  say("");
  if (now.undo) write("undo", { entry: now.undo });
  else write("lines", { lines: [now.line] }, { verb, picked, text: text.value });
  clear();
}

function begin(word, { type = true, value = "" } = {}) {
  withdrawing = null;
  verb = word;
  text.value = value;
  if (type) text.focus();
  else text.blur();
  refresh();
}

function atOnce(word) {
  if (seat() === null) return say("Nobody is to act: choose a seat with Shift and its number.", true);
  const line = `${word} ${seat()}`;
  if (picked !== null && toAct() !== null && picked !== toAct()) return begin(word, { type: false }); // shown before Enter
  write("lines", { lines: [line] });
  return clear();
}

function undoLast() {
  const mine = [...document.querySelectorAll("#lines [data-mine]")].at(-1);
  if (!mine) return say("There is no line of yours to take back in this hand.", true);
  mine.removeAttribute("data-mine");
  return write("undo", { entry: Number(mine.dataset.entry) });
}

function choose(step) {
  const all = [...document.querySelectorAll("#lines .line")];
  const at = all.indexOf(document.activeElement);
  all[at < 0 ? all.length - 1 : Math.min(all.length - 1, Math.max(0, at + step))]?.focus();
}

const KEYS = {
  KeyF: () => atOnce("fold"),
  KeyC: () => atOnce(due() > 0 ? "call" : "check"),
  KeyB: () => begin("bet"),
  KeyR: () => begin("raise"),
  KeyA: () => begin("allin", { type: false }),
  KeyI: () => begin("chips-in"),
  KeyU: () => begin("chips-back"),
  KeyV: () => begin("say", { type: false }),
  KeyD: () => begin("", { value: `${nextStreet()} ` }),
  KeyX: () => begin("expose"),
  KeyT: () => begin("table"),
  KeyM: () => begin("muck", { type: false }),
  KeyN: () => begin(over() ? "hand" : "end", { type: false }),
  KeyZ: undoLast,
  KeyJ: () => choose(0),
  ArrowUp: () => choose(-1),
  ArrowDown: () => choose(1),
  Delete: () => {
    const line = document.activeElement?.closest("#lines .line");
    if (line && !line.classList.contains("undone")) withdrawing = line;
    refresh();
  },
  Slash: () => text.focus(),
  Escape: () => { say(""); clear(); document.activeElement?.blur(); },
  Enter: enter,
  NumpadEnter: enter,
};

function press(code) {
  if (dead()) return say("Not connected: nothing can be written.", true);
  return KEYS[code]();
}

function digit(event) {
  const [, value] = /^(?:Digit|Numpad)(\d)$/.exec(event.code) ?? [];
  if (value === undefined) return false;
  if (event.shiftKey) {
    picked = Number(value) || 10;
  } else if (verb === "say" && !text.value && PHRASES[value - 1]) {
    text.value = PHRASES[value - 1];
  } else {
    if (["allin", "muck", "hand", "end"].includes(verb)) verb = "";
    text.value += value;
    text.focus();
  }
  refresh();
  return true;
}

function onKey(event) {
  if (event.code === "F8" && !event.repeat) {
    letters = !letters;
    $("#letters").textContent = letters ? "Letter keys on" : "Letter keys off";
    return true;
  }
  if (event.target === text) {
    if (event.code === "Escape") return clear() ?? true;
    return false; // the form takes Enter; all else is text
  }
  if (!isCommand(event)) return false;
  if (event.target.closest("button") && ["Enter", "NumpadEnter", "Space"].includes(event.code)) return false;
  if (!letters && !["Escape", "Enter", "NumpadEnter", "ArrowUp", "ArrowDown"].includes(event.code)) return false;
  if (event.key === "?") return toggleKeys() ?? true;
  if (event.key === '"') return begin("", { value: '"' }) ?? true;
  if (digit(event)) return true;
  if (!KEYS[event.code] || event.shiftKey) return false;
  press(event.code);
  return true;
}

if (form) {
  document.addEventListener("keydown", (event) => onKey(event) && event.preventDefault());
  document.addEventListener("click", (event) => {
    const { key } = event.target.closest("button[data-key]")?.dataset ?? {};
    if (key === "F8") onKey({ code: "F8" });
    else if (key) press(key);
    const place = event.target.closest("#drawing .seat");
    if (place) {
      picked = Number(place.dataset.seat);
      refresh();
    }
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    enter();
  });
  text.addEventListener("input", refresh);
}

/** What the page shows now, and the newest line in sight unless somebody goes through the lines. */
function settle() {
  refresh();
  if (!document.activeElement?.closest("#lines")) $("#lines").lastElementChild?.scrollTo(0, 1e9);
}

start({
  block() {
    queueMicrotask(settle);
    return false;
  },
});
settle();
