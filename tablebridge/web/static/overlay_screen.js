// What is on the air of a stream. Where no picture is confirmed there is nothing; the last picture stays for 10 seconds after the
// stream is lost, then fades. There is never a word about it on the air.

import { follow } from "./live.js";

const STAYS_S = 10;
const RESULT_S = 8; // as long the board and the winner are to be seen
const FADES_MS = 400;

export class Screen {
  on = true; // whether anything may be seen
  adapt = (view) => view; // what is shown of a picture
  #table;
  #live = null;
  #timers = [];
  #view = null;
  #beaten = false;
  #shown = null;
  #rests = 0;
  #rested = null; // the hand whose result was to be seen long enough

  constructor(table) {
    this.#table = table;
  }

  /** Whether no hand is under way. */
  get between() {
    return !this.#view || this.#view.street === "over" || this.#view.street === "void";
  }

  /** Follows this stream from now on. */
  open(url, beat = () => {}) {
    this.close();
    this.#beaten = false;
    this.#live = follow(url, {
      events: {
        table: (next) => {
          this.#view = next;
          this.draw();
        },
      },
      beat: (now) => {
        this.#beaten = true;
        beat(now);
        this.draw();
      },
      state() {},
      pauseHidden: false,
    });
    this.#timers = [setInterval(() => this.#hide(), 500), setInterval(() => this.#tick(), 1000)];
  }

  /** Shows this picture, of no stream. */
  give(view) {
    this.close();
    this.#view = view;
    this.draw();
  }

  /** Ends the stream. What is shown stays. */
  close() {
    this.#live?.end();
    this.#live = null;
    this.#timers.forEach(clearInterval);
    this.#timers = [];
  }

  /** Shows the picture, if it is another than before. */
  draw() {
    if (!this.on || !this.#view || (this.#live && (!this.#beaten || this.#live.ageS() > STAYS_S))) return;
    this.#table.classList.remove("gone");
    if (this.#shown !== this.#view) {
      this.#table.show(this.adapt(this.#view), this.#now());
      this.#rest();
    }
    this.#shown = this.#view;
  }

  /** Shows the picture again, because what is shown of it has changed. */
  again() {
    this.#shown = null;
    this.draw();
  }

  /** Takes everything off the air, with a fade unless `at_once`. */
  async clear(at_once = false) {
    this.#shown = null;
    this.#table.classList.add("gone");
    if (!at_once) await new Promise((done) => setTimeout(done, FADES_MS));
    if (!this.#shown) this.#table.clear();
  }

  #now() {
    return this.#live ? this.#live.nowMs() : Date.now();
  }

  /** Takes the result of a hand down, once. */
  #rest() {
    const { street, hand } = this.#view;
    if (street === "over" && this.#rested === hand) return;
    clearTimeout(this.#rests);
    this.#table.removeAttribute("data-rests");
    this.#rested = street === "over" ? hand : null;
    if (street === "over") this.#rests = setTimeout(() => this.#table.setAttribute("data-rests", ""), RESULT_S * 1000);
  }

  #tick() {
    if (this.#shown && (this.#table.options.until || this.#shown.level)) this.#table.show(this.adapt(this.#shown), this.#now());
  }

  #hide() {
    if (this.#shown && this.#live.ageS() > STAYS_S) this.clear();
  }
}
