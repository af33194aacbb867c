// What the entry line means, as one line of table script: pure, so that it can be read on its own.

const AMOUNT = /^(\d+)(\.\d+)?(k?)$/i;
const CHIPS = /^(\d+x)?[1-9]\d*(\+(\d+x)?[1-9]\d*)*$/;
const NO_TEXT = new Set(["fold", "check", "call", "allin", "muck"]);
const ACTIONS = /^(fold|check|call|bet|raise|allin|say|chips-in)$/;

/** 1400, 2k, 1.5k as a whole number; null for what is none. */
export function amount(text) {
  const [, whole, part = "", thousands] = AMOUNT.exec(text.replace(/[\s,]/g, "")) ?? [];
  if (!whole || (part && !thousands)) return null;
  const value = Number(whole + part) * (thousands ? 1000 : 1);
  return Number.isSafeInteger(value) && value > 0 ? value : null;
}

const unclear = (why) => ({ why });

function spoken(seat, text) {
  const said = text.replace(/^["“”]|["“”]$/g, "").trim();
  if (!said) return unclear("Type the words.");
  return /["“”]/.test(said) ? unclear("One quotation only.") : { line: `say ${seat} "${said}"`, seat };
}

/**
 * The reading of (verb, seat, text): `{line, seat}` or `{why}` it is not clear, null for an empty entry.
 * `seat` is the one chosen or to act; null where nobody is.
 */
export function read(verb, seat, text) {
  text = text.trim();
  if (!verb && !text) return null;
  if (verb === "hand" || verb === "end") return text ? unclear("Esc clears the line.") : { line: verb };
  if (!verb && /^[a-z]/i.test(text)) {
    if (NO_TEXT.has(text) && seat) return { line: `${text} ${seat}`, seat };
    return { line: text };
  }
  if (!seat) return unclear("Nobody is to act: choose a seat with Shift and its number.");
  if (NO_TEXT.has(verb)) return text ? unclear(`${verb} takes nothing more.`) : { line: `${verb} ${seat}`, seat };
  if (verb === "bet" || verb === "raise") {
    const total = amount(text);
    if (!text) return unclear(`${verb} to how much? The seat's total for the round.`);
    return total ? { line: `${verb} ${seat} ${total}`, seat, total } : unclear(`"${text}" is no amount.`);
  }
  if (verb === "say") return spoken(seat, text);
  if (verb === "chips-back" && text === "all") return { line: `chips-back ${seat} all`, seat };
  const chips = text.replace(/\s/g, "");
  if (verb === "chips-in" || verb === "chips-back") {
    return CHIPS.test(chips) ? { line: `${verb} ${seat} ${chips}`, seat } : unclear("Chips are written 1000+3x100.");
  }
  if (verb) return text ? { line: `${verb} ${seat} ${text}`, seat } : unclear("Which cards? Such as Ah Kd.");
  if (/^["“”]/.test(text)) return spoken(seat, text);
  if (/[x+]/.test(chips) && CHIPS.test(chips)) return { line: `chips-in ${seat} ${chips}`, seat };
  const said = amount(text);
  return said ? { line: `say ${seat} "${said}"`, seat } : unclear(`"${text}" cannot be read: an amount, chips, "words" or table script.`);
}

/** Whether the line is an action, which has a turn. */
export const hasTurn = (line) => ACTIONS.test(line.split(" ", 1)[0]);
