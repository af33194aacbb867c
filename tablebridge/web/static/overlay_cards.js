// Cards as the broadcast shows them: rank over suit, four suits of four shapes and colours.

import { drawing, make } from "./elements.js";
import { rankName } from "./overlay_words.js";
import { word } from "./words.js";

const PATHS = {
  s: "M50 4C62 26 92 40 92 63 92 79 79 87 68 84 63 83 58 80 55 75 56 84 60 91 67 96H33C40 91 44 84 45 75 42 80 37 83 32 84 21 87 8 79 8 63 8 40 38 26 50 4Z",
  h: "M50 94C38 74 6 57 6 32 6 17 17 8 29 8 39 8 47 14 50 24 53 14 61 8 71 8 83 8 94 17 94 32 94 57 62 74 50 94Z",
  d: "M50 3 88 50 50 97 12 50Z",
  c: "M50 5A21 21 0 0 1 67 39 21 21 0 1 1 56 70C57 81 60 90 67 96H33C40 90 43 81 44 70A21 21 0 1 1 33 39 21 21 0 0 1 50 5Z",
};
const RANKS = { T: "10" };

/** The card of a face, face down without one. `plays`: whether it is one of the five that win. */
export function card(face, id, plays = false) {
  const [, rank, suit] = /^([2-9TJQKA])([cdhs])\*?$/.exec(face ?? "") ?? [];
  if (!rank) return make("span", { class: "card back", part: "card", id, role: "img", "aria-label": word("card-down") });
  return make("span", { class: "card", part: "card", id, role: "img", "aria-label": word("card-up", { rank: rankName(rank), suit: word(suit) }),
    "data-suit": suit, "data-plays": plays },
  make("b", { class: rank === "T" ? "ten" : null }, RANKS[rank] ?? rank), drawing("0 0 100 100", PATHS[suit]));
}
