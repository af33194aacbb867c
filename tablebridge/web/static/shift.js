// What a shift switches on: sound, the lock that keeps the screen on, the browser's notifications, and a test of the person's
// phone. The button dispatches the event `shift`; each thing that a browser refuses is said in a sentence.

import { say, send } from "./page.js";
import { play, unlock } from "./ring.js";

const words = JSON.parse(document.getElementById("duty-words").textContent);
const duty = document.getElementById("duty");
const list = document.getElementById("duty-states");
let lock = null;

const on = () => document.body.dataset.shift === "on";

function tell(name, text, good) {
  const id = `duty-${name}`;
  const line = document.getElementById(id) ?? list.appendChild(Object.assign(document.createElement("li"), { id }));
  line.textContent = text;
  line.className = good ? "good" : "doubt";
}

async function sound() {
  const state = await unlock();
  tell("sound", { running: words.sound, suspended: words.touch }[state] ?? words.silent, state === "running");
  return state;
}

async function screenOn() {
  if (!isSecureContext) return tell("screen", words.plain, false);
  try {
    lock = await navigator.wakeLock.request("screen");
    return tell("screen", words.awake, true);
  } catch {
    return tell("screen", words.asleep, false);
  }
}

async function notifications() {
  if (!isSecureContext) return; // `screenOn` has said why
  if (!globalThis.Notification) return tell("notices", words.unable, false);
  const answer = await Notification.requestPermission();
  return tell("notices", answer === "granted" ? words.notified : words.denied, answer === "granted");
}

async function phone() {
  const reply = await send("/api/shift/test", {});
  if (!reply.ok) return;
  say("");
  tell("phone", reply.sentence, reply.sent);
}

async function begin(asked) {
  duty.hidden = false;
  const state = await sound();
  await screenOn();
  if (!asked) return;
  if (state === "running") play("warning");
  await Promise.all([notifications(), phone()]);
}

function end() {
  duty.hidden = true;
  list.replaceChildren();
  lock?.release();
  lock = null;
}

document.addEventListener("shift", (event) => (event.detail.on ? begin(navigator.userActivation?.isActive) : end()));
document.addEventListener("visibilitychange", () => { if (on() && !document.hidden) screenOn(); }); // a hidden page loses the lock
for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => { if (on()) sound(); });
