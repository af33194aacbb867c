// The page of a tournament's room: what is pressed is a line of the room's script, sent once; a file is tried before it is imported.

import { $, say, send, start } from "./page.js";
import { word } from "./words.js";

const LONGEST = 48000;
const ASKED_MS = 6000;

let file = null; // the file that was tried: { form, file }
let asked = null; // the button that waits for a second press

const fields = (form) => Object.fromEntries(new FormData(form));

/** The lines of a form: parts in braces are its fields; a line whose only field is empty is left out. */
function linesOf(form) {
  const values = fields(form);
  return form.dataset.lines.split("|")
    .filter((line) => line !== "prizes {prizes}" || values.prizes.trim())
    .map((line) => line.replace(/{(\w+)}/g, (_, name) => values[name]).trim());
}

const write = (lines) => send("/api/room", { lines });

function show(text, failed = false) {
  const place = $("#checked");
  place.textContent = text;
  place.hidden = !text;
  place.classList.toggle("failed", failed);
}

/** Brings names and blinds to the tables, and shows which of them refuse. */
async function bring() {
  const answer = await send("/api/room/names", {});
  if (!answer.ok) return;
  const rows = answer.tables.map(({ table, ok, sentence }) => {
    const row = document.createElement("li");
    row.className = ok ? "done" : "refused";
    row.textContent = ok ? word("done", { table }) : word("refused", { table, reason: sentence });
    return row;
  });
  if (!rows.length) rows.push(Object.assign(document.createElement("li"), { textContent: word("same") }));
  $("#named").replaceChildren(...rows);
}

async function tried(form) {
  const chosen = form.elements.file.files[0];
  $("#import-now").hidden = true;
  if (!chosen) return;
  const text = await chosen.text();
  if (text.length > LONGEST) return void show(word("too long"), true);
  file = { form: chosen.name.toLowerCase().endsWith(".json") ? "json" : "csv", file: text };
  const answer = await send("/api/room", { ...file, trial: true });
  show(answer.ok ? word("fits", { n: answer.changes }) : answer.sentence ?? "", !answer.ok);
  $("#import-now").hidden = !answer.ok;
}

async function imported() {
  const answer = await send("/api/room", file);
  show(answer.ok ? word("imported", { n: answer.changes }) : answer.sentence ?? "", !answer.ok);
  if (!answer.ok) return;
  $("#import-now").hidden = true;
  $("#import").reset();
  await bring();
}

async function busy(button, work) {
  if (button.getAttribute("aria-busy") === "true") return;
  button.setAttribute("aria-busy", "true");
  try {
    await work();
  } finally {
    button.removeAttribute("aria-busy");
  }
}

/** Whether this is the second press of the button: a draw and a deal are for all players. */
function confirmed(button) {
  const line = button.dataset.write;
  if (!/^(break|offer) /.test(line) || asked === line) {
    asked = null;
    return true;
  }
  asked = line;
  setTimeout(() => { if (asked === line) asked = null; }, ASKED_MS);
  say(word("press again", { what: button.textContent.trim() }));
  return false;
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  event.preventDefault();
  busy(form.querySelector("button"), async () => {
    if ("import" in form.dataset) return tried(form);
    const answer = await ("seed" in form.dataset ? send("/api/room/seed", fields(form)) : write(linesOf(form)));
    if (!answer.ok) return;
    say("");
    if (form.id === "set-level") form.reset();
    if (form.dataset.then === "names") await bring();
  });
});

document.addEventListener("change", (event) => {
  if (event.target.name !== "file") return;
  $("#import-now").hidden = true;
  show("");
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.write && confirmed(button)) busy(button, async () => {
    if ((await write([button.dataset.write])).ok) say("");
  });
  if (button && "names" in button.dataset) busy(button, bring);
  if (button?.id === "import-now") busy(button, imported);
});

/** Which forms there are depends on whether the room is open. */
function fit(element) {
  if (element.id === "room_due") document.body.dataset.open = element.dataset.open;
}

document.body.dataset.open = $("#room_due").dataset.open;
start({ block: fit });
