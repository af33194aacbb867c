// What the operator is about to write: an act or words for a seat, in a turn, or a line in the place of another. It outlives a reload.

import { read } from "./entry.js";
import { $ } from "./page.js";
import { foreseen, idle, turn as newest } from "./pending.js";

const text = $("#text");
const reason = $("#reason");
const { table } = document.body.dataset;
const KEPT = `tablebridge-entry-${table}`;

/**
 * `picked`: the seat chosen by hand, else null. `pinned`: the turn at which the entry began, `{name, seat}`, without a name while
 * keys wait for their answer. `editing`: `{how, entry, line}`: `how` is `change`, `before` or `undo`, of that line.
 * `doubted`: a line that was shown with a doubt and wants a second Enter.
 */
export const entry = { verb: "", picked: null, pinned: null, editing: null, doubted: "" };

export const toAct = () => (idle() ? newest().seat : foreseen() ?? null);
export const seat = () => entry.picked ?? (entry.pinned ? entry.pinned.seat : toAct());
export const moved = () => Boolean(entry.pinned?.name) && idle() && newest().name !== entry.pinned.name;

/** The seat is that of the moment when the entry began, whatever happens at the table meanwhile. */
export function pin() {
  if (entry.pinned) return;
  const now = newest();
  entry.pinned = idle() ? { name: now.name, seat: now.seat } : { name: "", seat: foreseen() ?? null };
}

export function unpin() {
  entry.pinned = null;
}

/** The reading of the entry: `{line, seat}`, `{why}` it is not clear, null if it is empty. */
export function reading() {
  if (entry.editing?.how === "undo") return { line: entry.editing.line };
  const who = entry.verb === "in-doubt" ? entry.picked : seat();
  const now = read(entry.verb, who, text.value);
  return now?.line && entry.verb === "in-doubt" ? settling(now) : now;
}

function settling(now) {
  const doubted = $("#turn").dataset.doubted.split(" ");
  return doubted.includes(String(entry.picked ?? 0)) ? { line: `${now.line} over` } : now;
}

/** What is asked or written of it, beside the line itself. */
export function about() {
  if (!entry.editing) return {};
  const { how, entry: number } = entry.editing;
  return { [how]: number, ...(reason.value.trim() ? { reason: reason.value.trim() } : {}) };
}

export function empty() {
  Object.assign(entry, { verb: "", picked: null, pinned: null, editing: null, doubted: "" });
  text.value = "";
  reason.value = "";
}

/** Keeps what is typed for a reload of this tab. */
export function keep() {
  const { verb, picked, pinned, editing } = entry;
  try {
    if (!verb && !text.value && !editing && picked === null) sessionStorage.removeItem(KEPT);
    else sessionStorage.setItem(KEPT, JSON.stringify({ verb, picked, pinned, editing, text: text.value, reason: reason.value }));
  } catch {
    // Without storage a reload empties the line.
  }
}

export function restore() {
  try {
    const { text: typed, reason: why, ...kept } = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
    if (typed === undefined) return;
    Object.assign(entry, kept);
    text.value = typed;
    reason.value = why;
    text.focus();
  } catch {
    sessionStorage.removeItem(KEPT); // it was kept by another version
  }
}
