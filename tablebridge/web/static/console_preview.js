// What would come of the line in the entry, as the engine says before anything is written. One question is on its way at a time;
// an answer to a line that is no longer there is dropped.

import { key } from "./page.js";
import { word } from "./words.js";

const WAIT_MS = 120;
const TAKEN = { check: "takenCheck", fold: "takenFold", call: "takenCall", bet: "takenBet", raise: "takenRaise", allin: "takenAllin" };
const number = (value) => Number(value).toLocaleString("en-GB").replaceAll(",", "\u202f");

let wanted = ""; // the question about what the entry holds, as JSON; empty for none
let asked = ""; // the newest question that was answered or is on its way
let ofRev = "";
let busy = false;
let timer = 0;

function act({ seat, action, amount }) {
  return word(TAKEN[action] ?? "takenAllin", { seat, amount: number(amount) });
}

function found({ sentence, rulebook, rule }) {
  return rule ? `${sentence} (${rulebook.replace("-", " ").toUpperCase()} ${rule})` : sentence;
}

function turn({ before, after }, correction) {
  if (after.street !== before.street || after.to_act === before.to_act) return "";
  if (!after.to_act) return word("nobodyNext");
  return word(correction ? "actsAgain" : "actsNext", { seat: after.to_act });
}

function changes(seen) {
  const { before, after } = seen;
  if (["over", "void"].includes(after.street) && after.street !== before.street) return [];
  const out = before.live.filter((seat) => !after.live.includes(seat)).map((seat) => word("outNow", { seat }));
  const back = after.live.filter((seat) => !before.live.includes(seat)).map((seat) => word("inAgain", { seat }));
  return [...out, ...back];
}

/** The answer in words. `correction`: something that was written before changes. */
function described(seen, correction) {
  if (!seen.ok) return word("wouldRefuse", { why: seen.sentence });
  if (seen.ends) return word("handEnds");
  if (seen.sentence) return word("wouldIgnore", { why: seen.sentence });
  const { before, after } = seen;
  const parts = [
    ...(correction ? [] : seen.taken.map(act)),
    ...seen.back.filter(() => !correction).map(([seat, amount]) => word("back", { seat, amount: number(amount) })),
    before.pot === after.pot ? "" : word("potBecomes", { before: number(before.pot), after: number(after.pot) }),
    turn(seen, correction),
    ...(correction ? changes(seen) : []),
    ...seen.comes.map(found),
    ...seen.goes.map(({ finding }) => word("goes", { finding })),
  ].filter(Boolean);
  return parts.length ? parts.join(" · ") : word("nothingChanges");
}

async function ask(table) {
  busy = true;
  asked = wanted;
  const question = JSON.parse(asked);
  try {
    const answer = await fetch(`/api/tables/${table}/preview`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: key(), ...question }),
    });
    const seen = answer.ok || answer.status === 409 ? await answer.json() : null;
    if (seen && asked === wanted) show(described(seen, question.undo ?? question.change ?? question.before));
  } catch {
    show(""); // the page says by itself that it is not connected
  }
  busy = false;
  if (wanted && wanted !== asked) ask(table);
}

function show(text) {
  document.getElementById("foreseen").textContent = text;
}

/** Shows what would come of this, null for nothing. `rev`: of the table; at another one the answer may be another. */
export function foresee(table, question, rev) {
  const now = question ? JSON.stringify(question) : "";
  if (now === wanted && rev === ofRev) return;
  if (now !== wanted) show("");
  wanted = now;
  ofRev = rev;
  asked = "";
  clearTimeout(timer);
  if (wanted && !busy) timer = setTimeout(() => wanted && !busy && ask(table), WAIT_MS);
}
