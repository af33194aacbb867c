// The operator's console: keys by their place on the keyboard, one entry line, nothing written before it is confirmed.

import { hasTurn, read } from "./entry.js";
import { $, dead, isCommand, say, send, start, toggleKeys } from "./page.js";
import { drop, foreseen, idle, turn as newest, write } from "./pending.js";

const NEXT_STREET = { preflop: "flop", flop: "turn", turn: "river" };
const WHOLE = { flop: 3, turn: 4, river: 5 }; // cards on a board
const { table } = document.body.dataset;
const PHRASES = document.body.dataset.phrases.split("|");
const form = $("#entry");
const text = $("#text");
let verb = "";
let picked = null; // the seat chosen by hand, else null
let pinned = null; // the turn at which the entry began: `{name, seat}`, without a name while keys wait for their answer
let withdrawing = null; // a line to be taken back
let doubted = ""; // a line that was shown with a doubt and wants a second Enter
let letters = true;

const turn = () => $("#turn").dataset;
const dealing = () => "dealing" in turn() && newest().seat === null;
const waits = () => "waits" in turn();
const toAct = () => (idle() ? newest().seat : foreseen() ?? null);
const seat = () => picked ?? (pinned ? pinned.seat : toAct());
const moved = () => Boolean(pinned?.name) && idle() && newest().name !== pinned.name;
const number = (value) => Number(value).toLocaleString("en-GB").replaceAll(",", "\u202f");
const over = () => !turn().street || turn().street === "over" || turn().street === "void";

// The street that the board has only in part, as the second of two boards has none of it yet, else the next one.
function nextStreet() {
  const { street, lies } = turn();
  return Number(lies) < WHOLE[street] ? street : NEXT_STREET[street] ?? "flop";
}

function due() {
  if (picked === null || picked === toAct()) return newest().toCall;
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
  $("#street span").textContent = dealing() ? "All dealt" : "Street";
  for (const [id, word] of [["bet", "bet"], ["raise", "raise"]]) {
    $(`#${id}`).classList.toggle("may", (turn().may ?? "").split(" ").includes(word));
  }
  $("#seat").textContent = seat() ? `seat ${seat()}` : "no seat";
  $("#seat").classList.toggle("other", picked !== null && picked !== act);
  $("#verb").textContent = verb;
  $("#verb").hidden = !verb;
  const acts = now?.line && hasTurn(now.line);
  const out = acts && picked !== null && act !== null && picked !== act;
  const below = now?.total && turn().min && now.total < Number(turn().min) && seat() === act;
  const line = $("#reading");
  const passed = acts && moved();
  line.classList.toggle("warn", Boolean(out || below || passed || (acts && (dealing() || waits()))));
  line.classList.toggle("unclear", Boolean(now?.why));
  line.textContent = !now ? "" : now.why ?? [
    out ? `▲ Out of turn: seat ${picked} acts, seat ${act} is to act.` : "",
    below ? `▲ The minimum is ${number(turn().min)}.` : "",
    passed ? `▲ The turn has passed: ${whose()}.` : "",
    acts && dealing() ? "▲ Cards of the deal are due: an act ends the deal." : "",
    acts && waits() ? "▲ The table waits for the floor." : "",
    now.undo ? `Enter ${now.line}` : `Enter writes: ${now.line}`].filter(Boolean).join(" ");
}

const whose = () => (newest().seat ? `seat ${newest().seat} is to act` : "nobody is to act");

// The seat is that of the moment when the entry began, whatever happens at the table meanwhile.
function pin() {
  if (pinned) return;
  const now = newest();
  const ahead = idle() ? now.seat : foreseen();
  pinned = idle() ? { name: now.name, seat: now.seat } : { name: "", seat: ahead ?? null };
}

function clear() {
  verb = "";
  picked = null;
  pinned = null;
  withdrawing = null;
  doubted = "";
  text.value = "";
  text.blur();
  refresh();
}

const post = (path, body) => send(`/api/tables/${table}/${path}`, body);

// What was not done comes back into an empty line; where its turn has passed, for the seat that is to act now.
function back(kept) {
  return (reply, dropped) => {
    const lost = dropped.length ? ` Not written either: ${dropped.join(", ")}.` : "";
    if (reply.moved && !verb && !text.value) {
      verb = kept.verb;
      picked = kept.picked;
      text.value = kept.text;
      pinned = null;
      pin();
      const whom = kept.picked ?? newest().seat;
      say(`${reply.sentence}${whom ? ` Enter writes it for seat ${whom}, Esc clears.` : ""}${lost}`, true);
    } else {
      if (!reply.moved && kept.verb !== undefined && !text.value && !verb) {
        ({ verb, picked } = kept);
        text.value = kept.text;
      }
      if (lost || reply.moved) say(`Not done. ${reply.sentence ?? "The server did not answer."}${lost}`, true);
    }
    refresh();
  };
}

function enqueue(path, body, label, more = {}) {
  write(post, { path, body, label, refused: back({}), done: refresh, ...more });
  refresh();
}

function enter() {
  const now = reading();
  if (!now || now.why) {
    if (now) say(now.why, true);
    return;
  }
  if (dead()) {
    say("Not connected: nothing was written.", true);
    return;
  }
  const acts = now.line && hasTurn(now.line);
  if (acts && moved()) {
    pinned = null;
    pin();
    const again = reading();
    say(`The turn has passed: ${whose()}. ${again.line ? `Enter writes ${again.line}, ` : ""}Esc clears.`, true);
    refresh();
    return;
  }
  if (acts && dealing() && doubted !== now.line) {
    doubted = now.line;
    say(`Cards of the deal are due. Enter once more ends the deal and writes ${now.line}.`, true);
    return;
  }
  say("");
  if (now.undo) {
    enqueue("undo", { entry: now.undo }, now.line);
  } else {
    const bound = acts || now.line === "hand" || now.line === "end";
    const body = bound && pinned?.name ? { lines: [now.line], turn: pinned.name } : { lines: [now.line] };
    const kept = { verb, picked, text: text.value };
    const whom = picked === null ? now.seat ?? null : null;
    enqueue("lines", body, now.line, { bound, seat: whom, refused: back(kept), word: "" });
  }
  clear();
}

function begin(word, { type = true, value = "" } = {}) {
  withdrawing = null;
  verb = word;
  text.value = value;
  pin();
  if (type) text.focus();
  else text.blur();
  refresh();
}

function atOnce(word, label) {
  if (picked === null && dealing()) {
    const why = $("#turn .expects").textContent.trim();
    return say(`${why}. D and Enter say that all cards are dealt; nobody acts before.`, true);
  }
  if (!idle() && picked === null && foreseen() === undefined) {
    return say(`Wait for the answer: who is to act then is not known yet. Not written: ${label}.`, true);
  }
  if (seat() === null) return say("Nobody is to act: choose a seat with Shift and its number.", true);
  const named = word === "due" ? (due() > 0 ? "call" : "check") : word;
  if ((picked !== null && picked !== toAct()) || waits()) return begin(named, { type: false }); // shown before Enter
  const kept = { verb: named, picked: null, text: "" };
  const whom = toAct();
  const body = idle() ? { turn: newest().name } : {};
  enqueue("lines", body, `${idle() ? named : label} ${whom}`, { bound: true, word, seat: whom, refused: back(kept) });
  return clear();
}

const undoLast = () => enqueue("undo", {}, "undo");
const redoLast = () => enqueue("redo", {}, "redo");

function choose(step) {
  const all = [...document.querySelectorAll("#lines .line")];
  const at = all.indexOf(document.activeElement);
  all[at < 0 ? all.length - 1 : Math.min(all.length - 1, Math.max(0, at + step))]?.focus();
}

const KEYS = {
  KeyF: () => atOnce("fold", "fold"),
  KeyC: () => atOnce("due", "check or call"),
  KeyB: () => begin("bet"),
  KeyR: () => begin("raise"),
  KeyA: () => begin("allin", { type: false }),
  KeyI: () => begin("chips-in"),
  KeyU: () => begin("chips-back"),
  KeyV: () => begin("say", { type: false }),
  KeyD: () => begin("", { value: dealing() ? "dealt" : `${nextStreet()} ` }),
  KeyX: () => begin("expose"),
  KeyT: () => begin("table"),
  KeyM: () => begin("muck", { type: false }),
  KeyN: () => begin(over() ? "hand" : "end", { type: false }),
  KeyZ: undoLast,
  Redo: redoLast,
  KeyJ: () => choose(0),
  ArrowUp: () => choose(-1),
  ArrowDown: () => choose(1),
  Delete: () => {
    const line = document.activeElement?.closest("#lines .line");
    if (line && !line.classList.contains("undone")) withdrawing = line;
    refresh();
  },
  Slash: () => text.focus(),
  Escape: escape,
  Enter: enter,
  NumpadEnter: enter,
};

function escape() {
  const dropped = drop();
  say(dropped.length ? `Not written: ${dropped.join(", ")}.` : "");
  clear();
  document.activeElement?.blur();
}

function press(code) {
  if (dead()) return say("Not connected: nothing can be written.", true);
  return KEYS[code]();
}

function digit(event) {
  const [, value] = /^(?:Digit|Numpad)(\d)$/.exec(event.code) ?? [];
  if (value === undefined) return false;
  if (event.shiftKey) {
    picked = Number(value) || 10;
    pin();
  } else if (verb === "say" && !text.value && PHRASES[value - 1]) {
    text.value = PHRASES[value - 1];
  } else {
    if (["allin", "muck", "hand", "end"].includes(verb)) verb = "";
    text.value += value;
    pin();
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
    if (event.code === "Escape") return escape() ?? true;
    return false; // the form takes Enter; all else is text
  }
  if (!isCommand(event)) return false;
  if (event.target.closest("button") && ["Enter", "NumpadEnter", "Space"].includes(event.code)) return false;
  if (!letters && !["Escape", "Enter", "NumpadEnter", "ArrowUp", "ArrowDown"].includes(event.code)) return false;
  if (event.key === "?") return toggleKeys() ?? true;
  if (event.key === '"') return begin("", { value: '"' }) ?? true;
  if (digit(event)) return true;
  if (event.code === "KeyZ" && event.shiftKey) return press("Redo") ?? true;
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
      pin();
      refresh();
    }
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    enter();
  });
  text.addEventListener("input", () => {
    if (text.value || verb) pin();
    else if (picked === null) pinned = null;
    doubted = "";
    refresh();
  });
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
