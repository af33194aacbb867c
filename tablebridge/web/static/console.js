// The operator's console: keys by their place on the keyboard, one entry line, nothing written before it is confirmed.

import { about, empty, entry, keep, moved, pin, reading, restore, seat, toAct, unpin } from "./console_entry.js";
import * as flags from "./console_flags.js";
import { actOf, keyOf, letters, showKeys, takesKey, toggleLetters } from "./console_keys.js";
import { foresee } from "./console_preview.js";
import { hasTurn } from "./entry.js";
import { $, dead, isCommand, key, say, send, start, toggleKeys } from "./page.js";
import { drop, foreseen, idle, turn as newest, write } from "./pending.js";
import { twice } from "./sure.js";
import { word } from "./words.js";

const NEXT_STREET = { preflop: "flop", flop: "turn", turn: "river" };
const WHOLE = { flop: 3, turn: 4, river: 5 }; // cards on a board
const PRESETS = { KeyM: "min", KeyH: "half", KeyP: "pot" };
const { table } = document.body.dataset;
const PHRASES = document.body.dataset.phrases.split("|");
const form = $("#entry");
const text = $("#text");
let chosen = null; // the line that was gone to last
let typedFor = null; // the seat that others were shown

const turn = () => $("#turn").dataset;
const dealing = () => "dealing" in turn() && newest().seat === null;
const waits = () => "waits" in turn();
const number = (value) => Number(value).toLocaleString("en-GB").replaceAll(",", "\u202f");
const over = () => !turn().street || turn().street === "over" || turn().street === "void";
const whose = () => (newest().seat ? word("toAct", { seat: newest().seat }) : word("nobodyActs"));
const drawn = (who) => document.querySelector(`#drawing [data-seat="${who}"]`)?.dataset ?? {};

// The street that the board has only in part, as the second of two boards has none of it yet, else the next one.
function nextStreet() {
  const { street, lies } = turn();
  return Number(lies) < WHOLE[street] ? street : NEXT_STREET[street] ?? "flop";
}

function due() {
  if (entry.picked === null || entry.picked === toAct()) return newest().toCall;
  const bets = [...document.querySelectorAll("#drawing [data-bet]")].map((one) => Number(one.dataset.bet));
  return Math.max(0, ...bets) - Number(drawn(entry.picked).bet ?? 0);
}

/** The seat's total for a usual amount, between the least and the most that it may bet; null where it may not. */
function preset(name) {
  const { min, max, pot, step } = turn();
  if (!min || seat() !== toAct()) return null;
  if (name === "min") return Number(min);
  const call = newest().toCall;
  const whole = Number(pot) + call;
  const raise = name === "pot" ? whole : Math.floor(whole / 2 / Number(step)) * Number(step);
  const total = Number(drawn(seat()).bet ?? 0) + call + raise;
  return Math.min(Math.max(total, Number(min)), max ? Number(max) : Infinity);
}

function usePreset(name) {
  const amount = preset(name);
  if (amount === null) return;
  text.value = String(amount);
  text.focus();
  refresh();
}

function warnings(now) {
  if (!now?.line || entry.editing) return [];
  const acts = hasTurn(now.line);
  const { min, max } = turn();
  const most = Number(drawn(now.seat).whole);
  const mine = seat() === toAct();
  const beyond = now.total && most && now.total > most;
  return [
    acts && entry.picked !== null && toAct() !== null && entry.picked !== toAct() && word("outOfTurn", { seat: entry.picked, due: toAct() }),
    mine && now.total && min && now.total < Number(min) && word("belowMin", { amount: number(min) }),
    beyond && word("beyondStack", { seat: now.seat, amount: number(most) }),
    mine && !beyond && now.total && max && now.total > Number(max) && word("beyondMost", { amount: number(max) }),
    acts && moved() && word("passed", { whose: whose() }),
    acts && dealing() && word("endsDeal"),
    acts && waits() && word("waitsForFloor"),
    now.line === "end" && flags.open().length && word("openFlags", { flags: flags.open().join(" ").replace(/\.$/, "") }),
  ].filter(Boolean);
}

function intent(now) {
  const { how, line } = entry.editing ?? {};
  return word({ change: "changes", before: "inserts", undo: "takesBack" }[how] ?? "writes", { line: now.line, was: line });
}

function question(now) {
  if (!now?.line || dead() || !idle()) return null;
  return entry.editing?.how === "undo" ? about() : { lines: [now.line], ...about() };
}

function showButtons() {
  const { min, doubted } = turn();
  const call = due();
  $("#due span").textContent = call > 0 ? word("call", { amount: number(call) }) : word("check");
  $("#bet span").textContent = min && !call ? word("betFrom", { amount: number(min) }) : word("bet");
  $("#raise span").textContent = min && call ? word("raiseFrom", { amount: number(min) }) : word("raise");
  $("#next span").textContent = word(over() ? "newHand" : "handOver");
  $("#street span").textContent = word(dealing() ? "allDealt" : "street");
  $("#doubt span").textContent = word(doubted?.split(" ").includes(String(entry.picked ?? 0)) ? "settled" : "inDoubt");
  for (const name of ["bet", "raise"]) $(`#${name}`).classList.toggle("may", (turn().may ?? "").split(" ").includes(name));
  $("#presets").hidden = !["bet", "raise"].includes(entry.verb) || preset("min") === null;
  for (const button of document.querySelectorAll("[data-preset]")) {
    const amount = preset(button.dataset.preset);
    button.firstElementChild.textContent = amount === null ? "" : word(button.dataset.preset, { amount: number(amount) });
  }
}

function refresh() {
  if (!form) return;
  const now = reading();
  showButtons();
  const editing = Boolean(entry.editing);
  $("#seat").textContent = seat() ? word("seat", { seat: seat() }) : word("noSeat");
  $("#seat").hidden = editing;
  $("#seat").classList.toggle("other", entry.picked !== null && entry.picked !== toAct());
  $("#verb").textContent = entry.verb;
  $("#verb").hidden = !entry.verb || editing;
  $("#why").hidden = !editing || !over();
  const said = warnings(now);
  const line = $("#reading");
  line.classList.toggle("warn", said.length > 0);
  line.classList.toggle("unclear", Boolean(now?.why));
  line.textContent = now ? now.why ?? [...said, intent(now)].join(" ") : "";
  foresee(table, question(now), turn().rev);
  keep();
  typing(now && !editing ? seat() : null);
}

/** The other consoles of the table show for which seat somebody types. */
function typing(who) {
  if (who === typedFor || dead()) return;
  typedFor = who;
  const body = JSON.stringify({ id: key(), seat: who });
  const headers = { "content-type": "application/json" };
  fetch(`/api/tables/${table}/typing`, { method: "POST", headers, body, keepalive: true }).catch(() => {}); // it is a courtesy
}

function clear() {
  empty();
  text.blur();
  refresh();
}

const post = (path, body) => send(`/api/tables/${table}/${path}`, body);

// What was not done comes back into an empty line; where its turn has passed, for the seat that is to act now.
function back(kept) {
  return (reply, dropped) => {
    const lost = dropped.length ? ` ${word("lost", { lines: dropped.join(", ") })}` : "";
    const free = !entry.verb && !text.value && !entry.editing;
    if (reply.moved && free) {
      Object.assign(entry, { verb: kept.verb, picked: kept.picked, pinned: null });
      text.value = kept.text;
      pin();
      const whom = kept.picked ?? newest().seat;
      say(`${reply.sentence}${whom ? ` ${word("again", { seat: whom })}` : ""}${lost}`, true);
    } else {
      if (!reply.moved && kept.verb !== undefined && free) {
        Object.assign(entry, { verb: kept.verb, picked: kept.picked, editing: kept.editing ?? null });
        text.value = kept.text;
      }
      if (lost || reply.moved) say(`${word("notDone", { why: reply.sentence ?? word("noAnswer") })}${lost}`, true);
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
  if (dead()) return say(word("notConnected"), true);
  if (entry.editing) return correct(now);
  const acts = hasTurn(now.line);
  if (acts && moved()) {
    unpin();
    pin();
    const again = reading();
    say(again.line ? word("passedAgain", { whose: whose(), line: again.line }) : word("passedClear", { whose: whose() }), true);
    return refresh();
  }
  if (acts && dealing() && entry.doubted !== now.line) {
    entry.doubted = now.line;
    return say(word("onceMore", { line: now.line }), true);
  }
  say("");
  const bound = acts || now.line === "hand" || now.line === "end";
  const body = bound && entry.pinned?.name ? { lines: [now.line], turn: entry.pinned.name } : { lines: [now.line] };
  const kept = { verb: entry.verb, picked: entry.picked, text: text.value };
  const whom = entry.picked === null ? now.seat ?? null : null;
  enqueue("lines", body, now.line, { bound, seat: whom, refused: back(kept), word: "" });
  return clear();
}

/** Applies what was done to an older line. A hand that is over wants a reason. */
function correct(now) {
  const { how, entry: number, line } = entry.editing;
  const more = about();
  if (over() && !more.reason) {
    $("#reason").focus();
    return say(word("sayWhy"), true);
  }
  say("");
  const kept = { verb: "", picked: null, text: text.value, editing: entry.editing };
  const body = how === "undo" ? { entry: number, ...(more.reason ? { reason: more.reason } : {}) } : { lines: [now.line], ...more };
  enqueue(how === "undo" ? "undo" : "lines", body, how === "undo" ? line : now.line, { refused: back(kept) });
  return clear();
}

function begin(verb, { type = true, value = "" } = {}) {
  entry.editing = null;
  entry.verb = verb;
  text.value = value;
  pin();
  if (type) text.focus();
  else text.blur();
  refresh();
}

function atOnce(name, label) {
  if (entry.picked === null && dealing()) {
    return say(word("dealFirst", { expects: $("#turn .expects").textContent.trim(), key: keyOf("street") }), true);
  }
  if (!idle() && entry.picked === null && foreseen() === undefined) return say(word("unknownTurn", { act: label }), true);
  if (seat() === null) return say(word("chooseSeat"), true);
  const named = name === "due" ? (due() > 0 ? "call" : "check") : name;
  if ((entry.picked !== null && entry.picked !== toAct()) || waits()) return begin(named, { type: false }); // shown before Enter
  const kept = { verb: named, picked: null, text: "" };
  const whom = toAct();
  const body = idle() ? { turn: newest().name } : {};
  enqueue("lines", body, `${idle() ? named : label} ${whom}`, { bound: true, word: name, seat: whom, refused: back(kept) });
  return clear();
}

function choose(step) {
  const all = [...document.querySelectorAll("#lines .line")];
  const at = all.indexOf(document.activeElement);
  all[at < 0 ? all.length - 1 : Math.min(all.length - 1, Math.max(0, at + step))]?.focus();
}

/** Begins to change the chosen line, to insert one before it, or to take it back. */
function edit(how) {
  const line = chosen && document.getElementById(chosen);
  if (!line) return say(word("chooseLine"), true);
  if (line.classList.contains("undone")) return say(word("changedBack"), true);
  empty();
  entry.editing = { how, entry: Number(line.dataset.entry), line: line.dataset.line };
  if (how === "change") text.value = line.dataset.line;
  if (how !== "undo") text.focus();
  return refresh();
}

const ACTS = {
  fold: () => atOnce("fold", "fold"),
  due: () => atOnce("due", word("checkOrCall")),
  bet: () => begin("bet"),
  raise: () => begin("raise"),
  allin: () => begin("allin", { type: false }),
  chipsIn: () => begin("chips-in"),
  chipsBack: () => begin("chips-back"),
  words: () => begin("say", { type: false }),
  street: () => begin("", { value: dealing() ? "dealt" : `${nextStreet()} ` }),
  exposed: () => begin("expose"),
  tabled: () => begin("table"),
  muck: () => begin("muck", { type: false }),
  doubt: () => begin("in-doubt", { type: false }),
  floor: () => begin("call-floor", { type: false }),
  clock: () => begin("clock", { type: false }),
  next: () => begin(over() ? "hand" : "end", { type: false }),
  undo: () => enqueue("undo", {}, word("undo")),
  redo: () => enqueue("redo", {}, word("redo")),
  lines: () => choose(0),
};

const KEYS = {
  ArrowUp: () => choose(-1),
  ArrowDown: () => choose(1),
  Delete: () => onLine() && edit("undo"),
  Insert: () => onLine() && edit("before"),
  Slash: () => text.focus(),
  Escape: escape,
  Enter: () => (onLine() && !entry.editing ? edit("change") : enter()),
};

const onLine = () => Boolean(document.activeElement?.closest("#lines .line"));

function escape() {
  const dropped = drop();
  say(dropped.length ? word("notWritten", { lines: dropped.join(", ") }) : "");
  clear();
  document.activeElement?.blur();
}

function press(act) {
  if (dead()) return say(word("cannotWrite"), true);
  return act();
}

function digit(event) {
  const [, value] = /^(?:Digit|Numpad)(\d)$/.exec(event.code) ?? [];
  if (value === undefined) return false;
  if (event.shiftKey) {
    entry.picked = Number(value) || 10;
    pin();
  } else if (entry.verb === "say" && !text.value && PHRASES[value - 1]) {
    text.value = PHRASES[value - 1];
  } else {
    if (["allin", "muck", "hand", "end", "in-doubt", "call-floor", "clock"].includes(entry.verb)) entry.verb = "";
    text.value += value;
    pin();
    text.focus();
  }
  refresh();
  return true;
}

function typed(event) {
  if (event.code === "Escape") return escape() ?? true;
  const name = PRESETS[event.code];
  if (event.target !== text || !name || text.value || !["bet", "raise"].includes(entry.verb)) return false; // all else is text
  return usePreset(name) ?? true;
}

function onKey(event) {
  if (takesKey(event.code)) return true;
  if (event.code === "F8" && !event.repeat) return toggleLetters() ?? true;
  if (event.target.closest("#entry input")) return typed(event);
  if (!isCommand(event)) return false;
  const code = event.code === "NumpadEnter" ? "Enter" : event.code;
  if (event.target.closest("button, summary, a") && ["Enter", "Space"].includes(code)) return false;
  if (!letters && !["Escape", "Enter", "ArrowUp", "ArrowDown", "Delete", "Insert"].includes(code)) return false;
  if (digit(event)) return true; // before the signs that a Russian keyboard has on digits
  if (event.key === "?" || (code === "Slash" && event.shiftKey)) return toggleKeys() ?? true;
  if (event.key === '"') return begin("", { value: '"' }) ?? true;
  const name = actOf(code);
  const act = name === "undo" && event.shiftKey ? ACTS.redo : ACTS[name] ?? KEYS[code];
  if (!act || (event.shiftKey && act !== ACTS.redo)) return false;
  press(act);
  return true;
}

function pick(who) {
  entry.picked = Number(who);
  pin();
  refresh();
}

function onClick(event) {
  const { target } = event;
  const { act, line, preset: amount } = target.closest("button")?.dataset ?? {};
  if (act === "letters") toggleLetters();
  else if (act) press(ACTS[act]);
  else if (line) press(() => edit(line));
  else if (amount) usePreset(amount);
  else if (target.closest("[data-choice]")) press(() => rule(target.closest("[data-choice]")));
  const place = target.closest("#drawing .seat, #drawing .spot");
  if (place) pick(place.dataset.seat ?? place.dataset.spot);
  flags.clicked(target, {
    settle: (who) => enqueue("lines", { lines: [who ? `in-doubt ${who} over` : "in-doubt over"] }, word("settled")),
    go: (number) => document.getElementById(`line-${number}`)?.focus(),
  });
}

/** Writes a ruling that the table offers, at the second press; it is refused if the table waits for it no more. */
function rule(button) {
  const { choice, question: asked } = button.dataset;
  const what = button.querySelector("b").textContent;
  if (!twice(`${asked} ${choice}`, button, word("pressAgain", { what }))) return;
  enqueue("lines", { lines: [choice], question: asked }, what);
}

function markChosen() {
  for (const line of document.querySelectorAll("#lines .line")) line.classList.toggle("chosen", line.id === chosen);
}

if (form) {
  document.addEventListener("keydown", (event) => onKey(event) && event.preventDefault());
  document.addEventListener("click", onClick);
  document.addEventListener("focusin", ({ target }) => {
    chosen = target.closest("#lines .line")?.id ?? chosen;
    markChosen();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    enter();
  });
  form.addEventListener("input", () => {
    if (text.value || entry.verb) pin();
    else if (entry.picked === null) unpin();
    entry.doubted = "";
    refresh();
  });
  restore();
  showKeys();
}

/** What the page shows now, and the newest line in sight unless somebody goes through the lines. */
function settle() {
  refresh();
  flags.arrange();
  markChosen();
  if (!document.activeElement?.closest("#lines")) $("#lines").lastElementChild?.scrollTo(0, 1e9);
}

start({
  block() {
    queueMicrotask(settle);
    return false;
  },
});
settle();
