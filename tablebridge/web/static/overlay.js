// The overlay page. Everything comes from the delayed picture. Where no picture is confirmed the page is empty: the last one
// stays for 10 seconds after the stream is lost, then fades. There is never a word about it on the air.

import { follow } from "./live.js";
import { options } from "./overlay_options.js";
import "./table.js";

const STAYS_S = 10;
const RESULT_S = 8; // as long the board and the winner are to be seen
const ask = new URLSearchParams(location.search);
const table = document.querySelector("tb-table");
const root = document.documentElement;
let view = null;
let beaten = false;
let shown = null;
let rests = 0;
let rested = null; // the hand whose result was to be seen long enough

table.options = options(ask);
root.dataset.layout = table.dataset.layout = table.options.layout;
table.dataset.deck = table.options.deck;
if (table.options.scale) root.style.setProperty("--tb-scale", table.options.scale);

function draw() {
  if (!beaten || !view || live.ageS() > STAYS_S) return;
  table.classList.remove("gone");
  if (shown !== view) {
    table.show(view, live.nowMs());
    rest();
  }
  shown = view;
}

/** Takes the result of a hand down, once. */
function rest() {
  if (view.street === "over" && rested === view.hand) return;
  clearTimeout(rests);
  table.removeAttribute("data-rests");
  rested = null;
  if (view.street !== "over") return;
  rested = view.hand;
  rests = setTimeout(() => table.setAttribute("data-rests", ""), RESULT_S * 1000);
}

function tick() {
  if (shown && table.options.until) table.show(shown, live.nowMs());
}

function hide() {
  if (live.ageS() <= STAYS_S || !shown) return;
  shown = null;
  table.classList.add("gone");
  setTimeout(() => shown || table.clear(), 400);
}

const key = ask.get("key");
const live = follow(document.body.dataset.stream + (key ? `?key=${encodeURIComponent(key)}` : ""), {
  table(next) {
    view = next;
    draw();
  },
  beat(now) {
    beaten = true;
    const between = !view || view.street === "over" || view.street === "void";
    if (now.assets !== document.body.dataset.assets && between) location.reload();
    draw();
  },
  state() {},
  pauseHidden: false,
});
setInterval(hide, 500);
setInterval(tick, 1000);
