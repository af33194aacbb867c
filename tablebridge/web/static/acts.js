// What a person does to an incident: each press is sent once, to the alerts that were on the screen.

import { say, send } from "./page.js";
import { letIn } from "./queue.js";
import { twice } from "./sure.js";
import { word } from "./words.js";

const NOTHING = "nothing found"; // how the record has it, in whichever language the page is
const TICKS = "tablebridge-ticks";
const sending = new Map(); // what is under way of each incident or other thing: the deed, and a promise of the answer

const label = (button) => button.querySelector("b")?.textContent ?? button.firstChild.textContent.trim();
const path = (table, rest) => `/api/tables/${table}/${rest}`;

// A ruling of the table, and whatever is done in another's place, wants a second press within a few seconds.
function sure(incident, button) {
  const { choice, over, to } = button.dataset;
  const other = over && over !== document.body.dataset.me ? over : "";
  if (!choice && !other) return true;
  const text = word(other ? "press again over" : "press again", { name: other, what: label(button) });
  return twice(`${incident.id} ${to} ${choice ?? ""}`, button, text);
}

// Another act of the same thing waits for the one before it, whose outcome the stream may have shown already, and is not sent
// if that one failed.
function busy(button, key, write) {
  const ahead = sending.get(key);
  const deed = JSON.stringify({ ...button.dataset });
  if (ahead?.deed === deed) return say(word("under way"));
  const what = label(button);
  const before = [...button.childNodes];
  button.setAttribute("aria-busy", "true");
  button.textContent = word("sending");
  const one = { deed, answer: sent(ahead?.answer, what, write) };
  sending.set(key, one);
  return one.answer.finally(() => {
    if (sending.get(key) === one) sending.delete(key);
    if (button.isConnected && button.textContent === word("sending")) button.replaceChildren(...before);
    button.removeAttribute("aria-busy");
    letIn();
  });
}

async function sent(ahead, what, write) {
  const before = await ahead;
  if (!ahead || before?.ok) return write();
  return say([before?.sentence, word("not after it", { what })].filter(Boolean).join(" "), true);
}

function ticked(incident, alert) {
  const member = [...incident.querySelectorAll(".member")].find((known) => known.dataset.alert === alert);
  return [...(member?.querySelectorAll("input[name=step]:checked") ?? [])].map((box) => Number(box.value));
}

export function act(incident, button) {
  if (!button || button.getAttribute("aria-disabled") || !sure(incident, button)) return undefined;
  const [alert, ...also] = JSON.parse(button.dataset.alerts);
  const { to, choice = "", over = "", nothing, done: step } = button.dataset;
  const note = incident.querySelector("input[name=note]");
  return busy(button, incident.id, async () => {
    const body = {
      note: [nothing === undefined ? "" : NOTHING, to === "ruled" || to === "closed" ? note?.value ?? "" : ""].filter(Boolean).join(": "),
      line: choice,
      over: Boolean(over) && over !== document.body.dataset.me,
      also,
      done: to === "ruled" ? [...new Set([...ticked(incident, alert), ...(step ? [Number(step)] : [])])] : [],
    };
    const done = await send(path(incident.dataset.table, `alerts/${encodeURIComponent(alert)}/${to}`), body);
    if (done.ok && note && body.note) note.value = "";
    return done;
  });
}

/** The act of this name: rulings that the table offers come first, and shelving wants a reason. */
export function begin(incident, to) {
  if (to === "ruled" && incident.querySelector("[data-rulings]")) return incident.querySelector("[data-choice]").focus();
  const button = incident.querySelector(`.acts [data-to="${to}"]`);
  if (to !== "shelved") return act(incident, button);
  if (!button || button.getAttribute("aria-disabled")) return undefined;
  const dialog = incident.querySelector(".shelving");
  if (dialog.open) dialog.close();
  else dialog.show();
  return dialog.querySelector("[name=why]").focus();
}

export function shelve(incident, button) {
  const dialog = button.closest(".shelving");
  const why = dialog.querySelector("[name=why]");
  if (!why.value.trim()) {
    say(word("write why"), true);
    return why.focus();
  }
  const [alert, ...also] = JSON.parse(incident.querySelector('.acts [data-to="shelved"]').dataset.alerts);
  const minutes = Number(dialog.querySelector("[name=minutes]").value);
  return busy(button, incident.id, async () => {
    const done = await send(path(incident.dataset.table, "shelf"), { alert, also, minutes, why: why.value });
    if (done.ok) {
      why.value = "";
      dialog.close();
    }
    return done;
  });
}

export function unshelve(button) {
  const { table, unshelve: alert } = button.dataset;
  return busy(button, alert, () => send(path(table, "shelf"), { alert, minutes: 0 }));
}

export function serve(button) {
  const { service: table, out } = button.dataset;
  const form = button.closest("details");
  const why = form?.querySelector("[name=why]");
  if (out && !why.value.trim()) {
    say(word("write why"), true);
    return why.focus();
  }
  const device = form?.querySelector("[name=device]").value ?? button.dataset.device;
  return busy(button, `service ${table} ${device}`, async () => {
    const body = { device, out: Boolean(out), why: why?.value ?? "" };
    const done = await send(path(table, "service"), body);
    if (done.ok && form) {
      why.value = "";
      form.open = false;
    }
    return done;
  });
}

/** Writes the line of a button; one with a time takes the minutes beside it. */
export function write(button) {
  const { table, write: form } = button.dataset;
  const minutes = button.closest("details").querySelector("[name=minutes]");
  if (form.includes("{") && !minutes.reportValidity()) return undefined;
  const line = form.replace("{seconds}", String(Math.round(minutes.valueAsNumber * 60)));
  return busy(button, `write ${table}`, () => send(path(table, "lines"), { lines: [line] }));
}

/** A line of table script about a player, of the alert of an offence. */
export function sanction(incident, button) {
  const { line } = button.dataset;
  if (!twice(`${line} ${label(button)}`, button, word("press again", { what: label(button) }))) return undefined;
  return busy(button, incident.id, () => send(path(incident.dataset.table, "lines"), { lines: [line] }));
}

/** The same from choices. */
export function conduct(button) {
  const form = button.closest("details");
  const [table, seat, deed, offence] = ["table", "seat", "deed", "offence"].map((name) => form.querySelector(`[name=${name}]`));
  const line = deed.value.replace("{seat}", seat.value).replace("{offence}", offence.value);
  const said = [table, seat, deed, ...(deed.value.includes("{offence}") ? [offence] : [])].map((one) => one.selectedOptions[0].textContent);
  if (!twice(`${table.value} ${line}`, button, word("press again", { what: said.join(" · ") }))) return undefined;
  return busy(button, line, async () => {
    const done = await send(path(table.value, "lines"), { lines: [line] });
    if (done.ok) form.open = false;
    return done;
  });
}

// What was ticked stays through a reload of this page.
function keepTicks() {
  const kept = {};
  for (const member of document.querySelectorAll(".member")) {
    const done = [...member.querySelectorAll("input[name=step]:checked")].map((box) => box.value);
    if (done.length) kept[member.id] = done;
  }
  sessionStorage.setItem(TICKS, JSON.stringify(kept));
}

for (const [id, done] of Object.entries(JSON.parse(sessionStorage.getItem(TICKS) ?? "{}"))) {
  for (const box of document.getElementById(id)?.querySelectorAll("input[name=step]") ?? []) {
    box.checked = done.includes(box.value);
  }
}
document.addEventListener("change", (event) => event.target.name === "step" && keepTicks());
