// The floor page: keys and buttons, the start of a shift, and the stream.

import { act, begin, conduct, sanction, serve, shelve, unshelve, write } from "./acts.js";
import { isCommand, say, start, toggleKeys } from "./page.js";
import { choose, chosen, goToNews, letIn, take } from "./queue.js";
import "./shift.js";
import { word } from "./words.js";

const LETTERS = "tablebridge-letters-off";
const SHIFT = "tablebridge-shift";
const filter = document.getElementById("filter");
const shift = document.querySelector("#shift button");
const letters = document.getElementById("letters");

// A key acts on the incident that was chosen and on no other: what came in a moment ago may stand on top.
function onChosen(to) {
  const incident = chosen();
  if (!incident) return say(word("choose first"), true);
  if (to === "taken" && incident.querySelector('.acts [data-to="released"]')) return begin(incident, "released");
  if (["ruled", "shelved"].includes(to)) incident.querySelector("details").open = true;
  return begin(incident, to);
}

function back() {
  const dialog = document.activeElement?.closest("dialog[open]");
  if (dialog) {
    dialog.close();
    return dialog.closest(".incident").querySelector(".row").focus();
  }
  const open = chosen()?.querySelector(":scope > details[open]");
  if (open) open.open = false;
  filter.value = "";
  filter.dispatchEvent(new Event("input"));
  document.activeElement?.blur();
  say("");
  return letIn();
}

const KEYS = {
  ArrowDown: () => choose(1),
  ArrowUp: () => choose(-1),
  KeyA: () => onChosen("acknowledged"),
  KeyT: () => onChosen("taken"),
  KeyG: () => onChosen("taken"),
  KeyR: () => onChosen("ruled"),
  KeyS: () => onChosen("shelved"),
  Slash: () => filter.focus(),
  NumpadDivide: () => filter.focus(),
};

function inField(event) {
  const { target, key, repeat } = event;
  if (key === "Escape") return back();
  if (key !== "Enter" || repeat) return undefined;
  const incident = target.closest(".incident");
  if (target.name === "why") {
    event.preventDefault();
    return target.closest("details.service, dialog").querySelector("[data-service], [data-shelve]").click();
  }
  if (target.name !== "note") return undefined;
  if (incident.querySelector("[data-rulings]")) return say(word("choose a ruling"), true);
  return begin(incident, "ruled");
}

document.addEventListener("keydown", (event) => {
  if (event.target.closest("input:not([type=checkbox]), select")) return inField(event);
  if (event.repeat && event.target.closest("#queue button")) event.preventDefault(); // a key held down presses once
  if (event.code === "Escape") return back();
  if (event.target.type !== "checkbox" && !isCommand(event)) return undefined;
  if (event.key === "?") return toggleKeys();
  if (!KEYS[event.code] || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (letters.getAttribute("aria-pressed") === "false" && event.code.startsWith("Key")) return undefined;
  event.preventDefault();
  return KEYS[event.code]();
});

const PRESSED = [
  ["[data-rulings]", (button, incident) => begin(incident, "ruled")],
  ['.acts [data-to="shelved"]', (button, incident) => begin(incident, "shelved")],
  ["[data-to]", (button, incident) => incident && act(incident, button)],
  ["[data-shelve]", (button, incident) => shelve(incident, button)],
  ["[data-unshelve]", unshelve],
  ["[data-service]", serve],
  ["[data-write]", write],
  ["[data-line]", (button, incident) => sanction(incident, button)],
  ["[data-conduct]", conduct],
];

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (event.detail > 1 && button?.closest("#queue")) return; // a double tap is one press: it neither confirms nor takes back
  const pressed = button && PRESSED.find(([selector]) => button.matches(selector));
  if (pressed) pressed[1](button, button.closest(".incident"));
});
document.getElementById("news").addEventListener("click", goToNews);

function showLetters(on) {
  letters.setAttribute("aria-pressed", String(on));
  letters.textContent = word(on ? "letters on" : "letters off");
  localStorage.setItem(LETTERS, on ? "" : "off");
}

letters.addEventListener("click", () => showLetters(letters.getAttribute("aria-pressed") === "false"));
showLetters(localStorage.getItem(LETTERS) !== "off");

// Whether this page is on shift. What a shift needs listens to the event, whose detail says whether it began.
function showShift(on) {
  shift.setAttribute("aria-pressed", String(on));
  const text = shift.querySelector("span");
  text.textContent = on ? text.dataset.on : text.dataset.off;
  document.body.dataset.shift = on ? "on" : "";
  sessionStorage.setItem(SHIFT, on ? "on" : "");
  shift.dispatchEvent(new CustomEvent("shift", { bubbles: true, detail: { on } }));
}

if (shift) {
  shift.addEventListener("click", () => showShift(document.body.dataset.shift !== "on"));
  if (sessionStorage.getItem(SHIFT) === "on") showShift(true);
}

start({ block: (element) => element.id === "queue" && take(element) });
