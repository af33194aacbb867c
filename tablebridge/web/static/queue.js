// The queue of incidents on the page: it holds still under a hand, says what is new, and shows what a filter leaves.

import { put, tick } from "./page.js";
import { word } from "./words.js";

const HOLD_MS = 5000;
const announce = document.getElementById("announce");
const news = document.getElementById("news");
const filter = document.getElementById("filter");
const filtered = document.getElementById("filtered");
const heard = new Set(); // the alerts that were announced
const shown = new Set(); // the alerts that somebody can have seen
let held = null; // the newest queue, while a hand is on the shown one
let touched = -HOLD_MS;
let under = null; // what the finger is or was on

export const incidents = () => [...document.querySelectorAll("#queue .incident:not([hidden])")];

/** The incident that a key acts on: the one that has the focus, else the one that is unfolded. */
export const chosen = () => document.activeElement?.closest(".incident")
  ?? document.querySelector(".incident:not([hidden]) > details[open]")?.parentElement;

const alerts = (incident) => [...incident.querySelectorAll(".member")].map((member) => member.id);
const busy = () => performance.now() - touched < HOLD_MS;

function announceFresh(queue) {
  const fresh = [...queue.querySelectorAll(".member")].filter((member) => !heard.has(member.id));
  for (const member of fresh) heard.add(member.id);
  if (fresh.length) announce.textContent = fresh.map((member) => member.dataset.spoken).join(" ");
}

// What has the focus or was touched last stays where it is on the screen, by a pixel, whatever comes above it.
function steadily(change) {
  const queue = document.getElementById("queue");
  const anchor = [document.activeElement?.closest("#queue *"), under].find((element) => element?.isConnected);
  const before = anchor?.getBoundingClientRect().top;
  change();
  if (!anchor?.isConnected) {
    queue.style.paddingTop = queue.style.paddingBottom = "";
    return;
  }
  const moved = () => anchor.getBoundingClientRect().top - before;
  const widen = (side, by) => { queue.style[side] = `${(parseFloat(queue.style[side]) || 0) + by}px`; };
  if (moved()) scrollBy(0, moved());
  if (moved() < 0) widen("paddingTop", -moved()); // the page scrolls no further: make room for it
  if (moved() > 0) {
    widen("paddingBottom", innerHeight);
    scrollBy(0, moved());
  }
}

// An incident that the server only names is as it came last: in the queue that waits, else on the page.
function complete(queue) {
  for (const named of held ? queue.querySelectorAll("[data-same]") : []) {
    const waiting = held.querySelector(`#${CSS.escape(named.id)}:not([data-same])`);
    if (waiting) named.replaceWith(waiting);
  }
}

const asShown = (incident) => ("same" in incident.dataset ? document.getElementById(incident.id) : incident);

// While a finger or the focus is on the queue, its incidents change where they are and none comes or goes.
function hold(queue) {
  held = queue;
  steadily(() => {
    for (const fresh of queue.querySelectorAll(".incident:not([data-same])")) put(fresh.cloneNode(true));
  });
  look();
}

export function release() {
  if (held) {
    const queue = held;
    held = null;
    steadily(() => put(queue));
    sift();
    tick();
  }
  look();
}

function seen(row) {
  const box = row.getBoundingClientRect();
  return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight;
}

// What is new and not on the screen is named in a place of its own, which covers no button and moves nothing.
function look() {
  for (const incident of incidents()) {
    const fresh = alerts(incident).filter((id) => !shown.has(id)); // to measure a row lays the page out: only what is new
    if (fresh.length && seen(incident.querySelector(".row"))) for (const id of fresh) shown.add(id);
  }
  const all = [...(held ?? document.getElementById("queue")).querySelectorAll(".incident")].map(asShown);
  const fresh = all.filter((incident) => alerts(incident).some((id) => !shown.has(id)));
  const text = fresh.length ? `${word("new", { n: fresh.length })} · ${fresh[0].dataset.label}` : "";
  if (news.textContent !== text) news.textContent = text;
  news.hidden = !fresh.length;
  news.dataset.to = fresh[0]?.id ?? "";
  news.classList.toggle("critical", fresh.some((incident) => incident.classList.contains("critical")));
}

function sift() {
  const wanted = filter.value.trim().toLocaleLowerCase();
  let hidden = 0;
  for (const incident of document.querySelectorAll("#queue .incident")) {
    incident.hidden = Boolean(wanted) && !incident.textContent.toLocaleLowerCase().includes(wanted);
    hidden += incident.hidden;
  }
  filtered.textContent = hidden ? word("filtered", { n: hidden }) : "";
  filtered.hidden = !hidden;
}

/** A new queue has come: true if it was taken over here. */
export function take(queue) {
  complete(queue);
  announceFresh(queue);
  if (busy()) {
    hold(queue);
  } else {
    held = null;
    steadily(() => put(queue));
  }
  sift();
  look();
  return true;
}

/** The hand is off the queue: what waits comes in. */
export function letIn() {
  touched = -HOLD_MS;
  under = null;
  release();
}

/** Goes to what is new. */
export function goToNews() {
  const { to } = news.dataset;
  letIn();
  const incident = document.getElementById(to);
  if (incident?.hidden) {
    filter.value = "";
    sift();
  }
  incident?.querySelector(".row").focus({ preventScroll: true });
  incident?.scrollIntoView({ block: "center" });
  look();
}

export function choose(step) {
  const all = incidents();
  const at = all.indexOf(document.activeElement?.closest(".incident"));
  all[Math.min(all.length - 1, Math.max(0, at + step))]?.querySelector(".row").focus();
}

for (const kind of ["pointerdown", "focusin", "keydown", "input"]) {
  document.addEventListener(kind, (event) => {
    const on = event.target.closest?.("#queue .incident");
    if (!on) return;
    touched = performance.now();
    under = event.target;
  });
}
filter.addEventListener("input", () => { sift(); look(); });
addEventListener("scroll", look, { passive: true });
setInterval(() => busy() || release(), 500);
for (const member of document.querySelectorAll(".member")) heard.add(member.id);
look();
