// Which key does what: a key is a place on the keyboard, whatever layout is on it. What a person changes is kept by this browser.

import { word } from "./words.js";

const DELIVERED = {
  fold: "KeyF", due: "KeyC", bet: "KeyB", raise: "KeyR", allin: "KeyA", chipsIn: "KeyI", chipsBack: "KeyU", words: "KeyV", street: "KeyD",
  exposed: "KeyX", tabled: "KeyT", muck: "KeyM", doubt: "KeyQ", floor: "KeyL", next: "KeyN", undo: "KeyZ", lines: "KeyJ", clock: "KeyK",
};
const KEPT = "tablebridge-console-keys";
const LETTERS = "tablebridge-console-letters";
const CODE = /^Key[A-Z]$/;

let keys = kept();
let awaited = ""; // the act that gets the next key

function kept() {
  try {
    const changed = Object.entries(JSON.parse(localStorage.getItem(KEPT) ?? "{}"));
    const known = changed.filter(([act, code]) => act in DELIVERED && CODE.test(code));
    const all = { ...DELIVERED, ...Object.fromEntries(known) };
    return new Set(Object.values(all)).size === Object.keys(all).length ? all : { ...DELIVERED };
  } catch {
    return { ...DELIVERED }; // what was kept is damaged, or this browser keeps nothing
  }
}

function keep(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // It holds until the page is loaded again.
  }
}

/** Whether letter keys are on; a reload leaves them as they are. */
export let letters = read(LETTERS) !== "off";

function read(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function toggleLetters() {
  letters = !letters;
  keep(LETTERS, letters ? "on" : "off");
  showLetters();
}

function showLetters() {
  document.getElementById("letters").textContent = word(letters ? "lettersOn" : "lettersOff");
}

/** The act of a key, or undefined. */
export const actOf = (code) => Object.keys(keys).find((act) => keys[act] === code);

/** The letter of an act's key. */
export const keyOf = (act) => keys[act].replace("Key", "");

const nameOf = (act) => document.querySelector(`button[data-act="${act}"] span`)?.textContent ?? act;

/** Takes the key that somebody was asked for; whether one was. */
export function takesKey(code) {
  if (!awaited) return false;
  const status = document.getElementById("remapping");
  if (CODE.test(code)) {
    const other = actOf(code);
    if (other) keys[other] = keys[awaited];
    keys[awaited] = code;
    keep(KEPT, JSON.stringify(keys));
    status.textContent = word("remapped", { act: nameOf(awaited), key: keyOf(awaited) });
  } else if (code !== "Escape") {
    status.textContent = word("notAKey");
  }
  awaited = "";
  showKeys();
  return true;
}

function ask(act) {
  awaited = act;
  document.getElementById("remapping").textContent = word("remapping", { act: nameOf(act) });
}

function button(text, pressed) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.addEventListener("click", pressed);
  return made;
}

function reset() {
  keys = { ...DELIVERED };
  keep(KEPT, "{}");
  showKeys();
}

/** Shows on every button and in the list which key it has. */
export function showKeys() {
  for (const act of Object.keys(keys)) {
    const shown = document.querySelector(`button[data-act="${act}"]`);
    shown?.setAttribute("aria-keyshortcuts", keyOf(act));
    for (const element of [shown?.querySelector("kbd"), ...document.querySelectorAll(`kbd[data-of="${act}"]`)]) {
      if (element) element.textContent = keyOf(act);
    }
  }
  const redo = document.querySelector('button[data-act="redo"]');
  redo.setAttribute("aria-keyshortcuts", `Shift+${keyOf("undo")}`);
  redo.querySelector("kbd").textContent = `Shift+${keyOf("undo")}`;
  const list = Object.keys(keys).map((act) => button(`${nameOf(act)}: ${keyOf(act)}`, () => ask(act)));
  document.getElementById("remap").replaceChildren(...list, button(word("resetKeys"), reset));
  showLetters();
}
