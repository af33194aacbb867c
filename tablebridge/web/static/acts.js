// What a person does to an incident: each press is sent once, to the alerts that were on the screen.

import { dead, say, send } from "./page.js";
import { letIn } from "./queue.js";
import { word } from "./words.js";

const SURE_MS = 5000;
const TICKS = "tablebridge-ticks";
const sending = new Set();
let asked = null; // the press that wants a second one: what it would do

const label = (button) => button.querySelector("b")?.textContent ?? button.firstChild.textContent.trim();
const path = (table, rest) => `/api/tables/${table}/${rest}`;

// A ruling of the table, and whatever is done in another's place, wants a second press within a few seconds.
function sure(incident, button) {
  const { choice, over, to } = button.dataset;
  const other = over && over !== document.body.dataset.me ? over : "";
  if (!choice && !other) return true;
  const what = `${incident.id} ${to} ${choice ?? ""}`;
  if (asked?.what === what && performance.now() - asked.at < SURE_MS) return true;
  asked = { what, at: performance.now() };
  button.classList.add("sure");
  setTimeout(() => button.classList.remove("sure"), SURE_MS);
  say(word(other ? "press again over" : "press again", { name: other, what: label(button) }));
  return false;
}

async function busy(button, key, write) {
  if (dead() || sending.has(key)) return;
  const before = [...button.childNodes];
  sending.add(key);
  button.setAttribute("aria-busy", "true");
  button.textContent = word("sending");
  const done = await write();
  sending.delete(key);
  if (button.isConnected && button.textContent === word("sending")) button.replaceChildren(...before);
  button.removeAttribute("aria-busy");
  letIn();
  return done;
}

function ticked(incident, alert) {
  const member = [...incident.querySelectorAll(".member")].find((known) => known.dataset.alert === alert);
  return [...(member?.querySelectorAll("input[name=step]:checked") ?? [])].map((box) => Number(box.value));
}

export function act(incident, button) {
  if (!button || button.getAttribute("aria-disabled") || !sure(incident, button)) return undefined;
  asked = null;
  const [alert, ...also] = JSON.parse(button.dataset.alerts);
  const { to, choice = "", over = "" } = button.dataset;
  const note = incident.querySelector("input[name=note]");
  return busy(button, incident.id, async () => {
    const body = {
      note: to === "ruled" || to === "closed" ? note?.value ?? "" : "",
      line: choice,
      over: Boolean(over) && over !== document.body.dataset.me,
      also,
      done: to === "ruled" ? ticked(incident, alert) : [],
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
