// What the entry line means, as one line of table script: it depends on nothing but what it is given.

import { word } from "./words.js";

const AMOUNT = /^(\d+)(\.\d+)?(k?)$/i;
const CHIPS = /^(\d+x)?[1-9]\d*(\+(\d+x)?[1-9]\d*)*$/;
const NO_TEXT = new Set(["fold", "check", "call", "allin", "muck", "clock"]);
const WHOLE_LINES = new Set(["hand", "end", "call-floor"]);
const ACTIONS = /^(fold|check|call|bet|raise|allin|say|chips-in)$/;

// The letters of a Russian keyboard, and those that an English one has in the same places.
const RUSSIAN = "йцукенгшщзхъфывапролджэячсмитьбю";
const ENGLISH = "qwertyuiop[]asdfghjkl;'zxcvbnm,.";

/** What was typed outside quotation marks, as the same keys type it on an English keyboard. */
export function latin(text) {
  return text.replace(/["“][^"”]*["”]?|[а-яё]/gi, (found) => {
    const place = RUSSIAN.indexOf(found.toLowerCase());
    if (found.length > 1 || place < 0) return found;
    return found === found.toLowerCase() ? ENGLISH[place] : ENGLISH[place].toUpperCase();
  });
}

/** 1400, 2k, 1.5k as a whole number; null for what is none. */
export function amount(text) {
  const [, whole, part = "", thousands] = AMOUNT.exec(text.replace(/[\s,]/g, "")) ?? [];
  if (!whole || (part && !thousands)) return null;
  const value = Number(whole + part) * (thousands ? 1000 : 1);
  return Number.isSafeInteger(value) && value > 0 ? value : null;
}

const unclear = (name, values) => ({ why: word(name, values) });

function spoken(seat, text) {
  const said = text.replace(/^["“”]|["“”]$/g, "").trim();
  if (!said) return unclear("typeWords");
  return /["“”]/.test(said) ? unclear("oneQuotation") : { line: `say ${seat} "${said}"`, seat };
}

/**
 * The reading of (verb, seat, text): `{line, seat}` or `{why}` it is not clear, null for an empty entry.
 * `seat` is the one chosen or to act; null where nobody is.
 */
export function read(verb, seat, text) {
  text = verb === "say" ? text.trim() : latin(text.trim());
  if (!verb && !text) return null;
  if (WHOLE_LINES.has(verb)) return text ? unclear("escClears") : { line: verb };
  if (verb === "in-doubt") return text ? unclear("escClears") : { line: seat ? `in-doubt ${seat}` : "in-doubt" };
  if (!verb && /^[a-z]/i.test(text)) {
    if (NO_TEXT.has(text) && seat) return { line: `${text} ${seat}`, seat };
    return { line: text };
  }
  if (!seat) return unclear("chooseSeat");
  if (NO_TEXT.has(verb)) return text ? unclear("takesNothing", { verb }) : { line: `${verb} ${seat}`, seat };
  if (verb === "bet" || verb === "raise") {
    const total = amount(text);
    if (!text) return unclear("howMuch", { verb });
    return total ? { line: `${verb} ${seat} ${total}`, seat, total } : unclear("noAmount", { text });
  }
  if (verb === "say") return spoken(seat, text);
  if (verb === "chips-back" && text === "all") return { line: `chips-back ${seat} all`, seat };
  const chips = text.replace(/\s/g, "");
  if (verb === "chips-in" || verb === "chips-back") {
    return CHIPS.test(chips) ? { line: `${verb} ${seat} ${chips}`, seat } : unclear("chipsForm");
  }
  if (verb) return text ? { line: `${verb} ${seat} ${text}`, seat } : unclear("whichCards");
  if (/^["“”]/.test(text)) return spoken(seat, text);
  if (/[x+]/.test(chips) && CHIPS.test(chips)) return { line: `chips-in ${seat} ${chips}`, seat };
  const said = amount(text);
  return said ? { line: `say ${seat} "${said}"`, seat } : unclear("unclear", { text });
}

/** Whether the line is an action, which has a turn. */
export const hasTurn = (line) => ACTIONS.test(line.split(" ", 1)[0]);
