// The flags of the hand: which are shown, and which are for later. What is set aside is so for this browser's tab, until it is settled.

import { word } from "./words.js";

const flags = () => document.getElementById("flags");
const later = new Set();
let filter = "all";

/** What is open, each as its reason. */
export const open = () => [...flags().querySelectorAll(".flag")].map((flag) => flag.dataset.reason);

/** Shows the flags as they were chosen, after the block came in again. */
export function arrange() {
  const all = [...flags().querySelectorAll(".flag")];
  for (const gone of [...later].filter((key) => !all.some((flag) => flag.id === `flag-${key}`))) later.delete(gone);
  for (const flag of all) {
    const aside = later.has(flag.id.replace("flag-", ""));
    flag.classList.toggle("later", aside);
    flag.hidden = filter !== "all" && flag.dataset.kind !== filter;
    flag.querySelector("[data-later]").textContent = word(aside ? "now" : "later");
  }
  for (const button of flags().querySelectorAll("[data-filter]")) {
    button.setAttribute("aria-pressed", String(button.dataset.filter === filter));
  }
}

/** Takes a click in the list; whether it was one of these. `settle(seat)`, `go(entry)` do what is not of the list. */
export function clicked(target, { settle, go }) {
  const button = target.closest("#flags button");
  if (!button) return false;
  const { later: key, filter: kind, settle: seat, go: entry } = button.dataset;
  if (key) later.has(key) ? later.delete(key) : later.add(key);
  if (kind) filter = kind;
  if (seat !== undefined) settle(Number(seat));
  if (Number(entry)) go(entry);
  arrange();
  return true;
}
