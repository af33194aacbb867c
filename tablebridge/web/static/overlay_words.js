// What is said on the air: amounts, actions and made hands, in words of the page's language.

import { knows, word } from "./words.js";

const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const list = (ranks) => [...ranks].map((rank) => (rank === "T" ? "10" : rank)).join("-");
const full = (amount) => amount.toLocaleString("en-GB").replaceAll(",", "\u202f");

/** The rank of a card as a word, such as "ace". */
export const rankName = (rank) => word(`one-${rank}`);

/** The name of a street as a word. */
export const streetName = (street) => word(`street-${street}`);

/** The name of the game of a picture; one of the house's own as the engine calls it. */
export const gameName = ({ game, title }) => (knows(`game-${game}`) ? word(`game-${game}`) : title);

/** The next lower multiple of `round`, so that nobody reads stacks to the last chip; what is less than it stays. */
export const rounded = (amount, round) => (round > 1 && amount >= round ? Math.floor(amount / round) * round : amount);

/** An amount in chips: whole below a million; from there, or if `style` is "short" from ten thousand on, rounded. */
export function chips(amount, style) {
  if (style === "full" || amount < (style === "short" ? 1e4 : 1e6)) return full(amount);
  const [unit, letter] = amount >= 999_995_000 ? [1e9, "B"] : amount >= 999_995 ? [1e6, "M"] : [1e3, "K"];
  const fine = amount / unit >= 100 ? 10 : 100;
  return `${Math.round(amount / (unit / fine)) / fine}${letter}`;
}

/** The name of a made hand. */
export function handName({ kind, ranks }) {
  const [first, second] = ranks;
  if (kind === "low") return word("low", { ranks: list(ranks) });
  if (kind === "badugi") return word(`badugi-${ranks.length}`, { ranks: list(ranks) });
  if (kind === "straight-flush" && first === "A") return word("royal-flush");
  const values = { one: word(`one-${first}`), One: upper(word(`one-${first}`)), many: word(`many-${first}`), others: second ? word(`many-${second}`) : "" };
  return word(kind === "flush" ? "hand-flush" : kind, values);
}
