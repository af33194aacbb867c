// The set-up: each form is a wish that is sent once; keys press the button that they stand on; a card that was read sounds.

import { isCommand, say, send, start, toggleKeys } from "./page.js";
import { word } from "./words.js";

const TONES = { alert: [880, 660, 880, 660], enrolled: [880], complete: [660, 880, 1320], known: [220], several: [220, 180], foreign: [220, 180] };
const SILENT = new Set(["", "undone"]);

let sound = null;
let heard = document.getElementById("setup-panel")?.dataset.tone;
let offsetMs = 0; // the server's clock, less this one

/** A tone per card; a browser lets a page sound after the first key or press. */
function tone(said) {
  if (SILENT.has(said) || !(said in TONES)) return;
  sound ??= new AudioContext();
  TONES[said].forEach((hertz, index) => {
    const [oscillator, gain] = [sound.createOscillator(), sound.createGain()];
    const at = sound.currentTime + index * 0.12;
    oscillator.frequency.value = hertz;
    gain.gain.setValueAtTime(0.2, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + 0.11);
    oscillator.connect(gain).connect(sound.destination);
    oscillator.start(at);
    oscillator.stop(at + 0.12);
  });
}

function clocks() {
  for (const element of document.querySelectorAll("[data-until]")) {
    const left = Math.max(0, Math.round((Number(element.dataset.until) - Date.now() - offsetMs) / 1000));
    element.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  }
  for (const element of document.querySelectorAll("[data-clock]")) {
    element.textContent = new Date(Number(element.dataset.clock)).toLocaleString("en-GB");
  }
}

function changed(element) {
  if (element.id !== "setup-panel") return false;
  const now = element.dataset.tone;
  if (now && now !== heard) tone(now.split(":")[0]);
  heard = now ?? heard;
  queueMicrotask(clocks);
  return false;
}

async function wish(form) {
  const fields = Object.fromEntries(new FormData(form));
  const button = form.querySelector("button");
  button?.setAttribute("aria-busy", "true");
  const answer = await send("/api/setup", { wish: { type: form.dataset.wish, ...fields } });
  button?.removeAttribute("aria-busy");
  if (answer.ok) {
    say("");
    if (answer.given) give(answer.given);
    for (const input of form.querySelectorAll("input:not([type=hidden])")) input.value = input.defaultValue;
  }
}

/** What a person gets, shown to whoever asked for it until the dialog is closed. */
function give({ name, shown }) {
  document.getElementById("given-name").textContent = word("given", { name });
  document.getElementById("given-links").replaceChildren(...shown.map(({ what, address, picture }) => {
    const line = document.createElement("li");
    const text = Object.assign(document.createElement("code"), { textContent: address });
    const label = Object.assign(document.createElement("p"), { textContent: word(what) });
    line.append(label, Object.assign(new Image(), { src: picture, alt: word(what) }), text);
    return line;
  }));
  const dialog = document.getElementById("given");
  dialog.addEventListener("close", () => document.getElementById("given-links").replaceChildren(), { once: true });
  dialog.showModal();
}

async function copy(command) {
  try {
    await navigator.clipboard.writeText(command);
    say(word("copied", { command }));
  } catch {
    say(word("not_copied"), true);
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-wish]");
  if (!form) return;
  event.preventDefault();
  wish(form);
});

document.addEventListener("click", (event) => {
  const command = event.target.closest("[data-copy]")?.dataset.copy;
  if (command) copy(command);
  if (event.target.closest("[data-print]")) print();
  if (event.target.closest("[data-sound]")) tone("alert");
});

document.addEventListener("keydown", (event) => {
  if (!isCommand(event)) return;
  if (event.key === "?") return void toggleKeys();
  if (event.code === "Enter" && event.target.closest("a, button, summary")) return;
  const pressed = document.querySelector(`#desk [data-press="${event.code}"]:not(:disabled)`);
  if (!pressed) return;
  event.preventDefault();
  if (pressed.matches("input")) pressed.focus();
  else pressed.click();
});

start({
  block: changed,
  beat(now) {
    offsetMs = now.wall_ms - Date.now();
  },
});
setInterval(clocks, 1000);
clocks();
