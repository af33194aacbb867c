// What is said on the air: amounts, actions and made hands, in words.

const ONE = { 2: "deuce", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", T: "ten", J: "jack", Q: "queen",
  K: "king", A: "ace" };
const many = (rank) => (rank === "6" ? "sixes" : `${ONE[rank]}s`);
const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const list = (ranks) => [...ranks].map((rank) => (rank === "T" ? "10" : rank)).join("-");

export const ACTS = { fold: "Fold", check: "Check", call: "Call", bet: "Bet", raise: "Raise to", allin: "All-in" };
export const STREETS = { preflop: "Pre-flop", flop: "Flop", turn: "Turn", river: "River", third: "Third", fourth: "Fourth", fifth: "Fifth",
  sixth: "Sixth", seventh: "Seventh", second: "Second", draw1: "First draw", draw2: "Second draw", draw3: "Third draw" };

const full = (amount) => amount.toLocaleString("en-GB").replaceAll(",", "\u202f");

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
  switch (kind) {
    case "straight-flush": return first === "A" ? "Royal flush" : `Straight flush, ${ONE[first]} high`;
    case "four": return `Four ${many(first)}`;
    case "full": return `Full house, ${many(first)} full of ${many(second)}`;
    case "flush": return `Flush, ${ONE[first]} high`;
    case "straight": return `Straight, ${ONE[first]} high`;
    case "three": return `Three ${many(first)}`;
    case "two-pair": return `Two pair, ${many(first)} and ${many(second)}`;
    case "pair": return `Pair of ${many(first)}`;
    case "low": return `${list(ranks)} low`;
    case "badugi": return `${["", "One-card", "Two-card", "Three-card", ""][ranks.length]} ${list(ranks)} badugi`.trim();
    case "high": return `${upper(ONE[first])} high`;
    default: return "";
  }
}
