// What rings: the page's title and badge always, and while a shift is on the tones and the browser's notifications. What
// rings is the server's word in the element #ringing; this only shows it.

import { isCommand } from "./page.js";

const AGAIN_MS = 6000;
const MUTE_MS = 60000;
// By severity: the pitch of a tone in hertz, and at which seconds it sounds.
const TONES = { critical: [880, [0, 0.25, 0.5]], warning: [660, [0, 0.3]] };
const TONE_S = 0.16;

const words = JSON.parse(document.getElementById("duty-words").textContent);
const ringing = document.getElementById("ringing");
const mute = document.getElementById("mute");
const icon = document.querySelector("link[rel=icon]");
const plain = { title: document.title, icon: icon.getAttribute("href") };
const shown = new Map(); // the browser's notifications, by alert
let heard = new Set();
let audio = null;
let mutedUntil = 0;
let tonesAt = -AGAIN_MS;

const onShift = () => document.body.dataset.shift === "on";
const muted = () => performance.now() < mutedUntil;
const ringers = () => JSON.parse(ringing.dataset.ringers).map(([key, severity, shape, title, kind]) => (
  { key, severity, shape, title, kind }));

/** Begins to play sound, as far as the browser allows. Answers `running`, `suspended` or `none`. */
export async function unlock() {
  const Context = window.AudioContext;
  if (!Context) return "none";
  if (!audio && !navigator.userActivation?.hasBeenActive) return "suspended"; // no browser plays sound before a touch
  audio ??= new Context();
  if (audio.state === "suspended") await Promise.race([audio.resume(), new Promise((done) => setTimeout(done, 500))]);
  return audio.state;
}

/** Plays the tone of a severity. */
export function play(severity) {
  if (audio?.state !== "running") return;
  const [hertz, starts] = TONES[severity] ?? TONES.warning;
  for (const start of starts) {
    const tone = new OscillatorNode(audio, { frequency: hertz, type: "square" });
    const volume = new GainNode(audio, { gain: 0.2 });
    tone.connect(volume).connect(audio.destination);
    tone.start(audio.currentTime + start);
    tone.stop(audio.currentTime + start + TONE_S);
  }
}

function badge(count, severity) {
  if (!count) return icon.setAttribute("href", plain.icon);
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="${colour(severity)}"/>`
    + `<text x="16" y="23" font-size="20" font-weight="700" text-anchor="middle" font-family="sans-serif" fill="${colour(`on-${severity}`)}">`
    + `${count > 9 ? "9+" : count}</text></svg>`;
  return icon.setAttribute("href", `data:image/svg+xml,${encodeURIComponent(svg)}`);
}

// A notification of the browser, for a page that nobody looks at: on lock screens too, so without cards and players.
function notify(ringer) {
  if (!document.hidden || globalThis.Notification?.permission !== "granted") return;
  try {
    const tag = ringer.key.split(" ").slice(0, 2).join(" ");
    const made = new Notification(`${ringer.shape} ${ringer.title}`, { body: ringer.kind, tag, renotify: true });
    made.onclick = () => { window.focus(); made.close(); };
    shown.set(tag, made);
  } catch {
    // Some browsers notify only through a service worker; duty says so when the shift begins.
  }
}

function withdraw(now) {
  const still = new Set(now.map((ringer) => ringer.key.split(" ").slice(0, 2).join(" ")));
  for (const [tag, made] of shown) {
    if (!still.has(tag)) {
      made.close();
      shown.delete(tag);
    }
  }
}

function sound(now) {
  if (!now.length || !onShift() || muted() || performance.now() - tonesAt < AGAIN_MS) return;
  tonesAt = performance.now();
  play(now[0].severity);
}

function update() {
  const now = ringers();
  const [worst] = now;
  document.title = worst ? `(${now.length}) ${worst.shape} ${worst.title}` : plain.title;
  badge(now.length, worst?.severity);
  withdraw(now);
  const fresh = now.filter((ringer) => !heard.has(ringer.key));
  heard = new Set(now.map((ringer) => ringer.key));
  if (!onShift()) return;
  for (const ringer of fresh) notify(ringer);
  if (fresh.length) tonesAt = -AGAIN_MS;
  sound(now);
}

function showMute() {
  const seconds = Math.ceil((mutedUntil - performance.now()) / 1000);
  mute.firstElementChild.textContent = seconds > 0 ? words.muted.replace("{seconds}", seconds) : words.mute;
  mute.setAttribute("aria-pressed", String(seconds > 0));
}

function toggleMute() {
  mutedUntil = muted() ? 0 : performance.now() + MUTE_MS;
  showMute();
}

mute.addEventListener("click", toggleMute);
document.addEventListener("keydown", (event) => {
  if (event.code === "KeyM" && !event.shiftKey && onShift() && isCommand(event)) toggleMute();
});
new MutationObserver(update).observe(ringing, { attributes: true });
document.addEventListener("shift", () => { heard = new Set(); update(); });
setInterval(() => { showMute(); sound(ringers()); }, 500);
update();
