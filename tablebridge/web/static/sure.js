// What wants a second press within a few seconds, so that no thumb voids a hand.

import { say } from "./page.js";

const SURE_MS = 5000;
let asked = null; // the press that wants a second one: what it would do

/** Whether this is the second press of `what`; the first one says `text`. */
export function twice(what, button, text) {
  if (asked?.what === what && performance.now() - asked.at < SURE_MS) {
    asked = null;
    return true;
  }
  asked = { what, at: performance.now() };
  button.classList.add("sure");
  setTimeout(() => button.classList.remove("sure"), SURE_MS);
  say(text);
  return false;
}
