// The parts of the picture as elements: a pure function of the picture and of what was asked for.
//
// Every part that can come, go or move has an id that begins with its hand, so that a picture after an absence is compared with
// the one before and nothing moves that stood there already.

import { card } from "./overlay_cards.js";
import { chips, gameName, handName, rounded, streetName } from "./overlay_words.js";
import { make } from "./elements.js";
import { word } from "./words.js";

const GONE = new Set(["empty", "out"]);
const SAMPLED = 0.01; // an error from which on a share is marked as one that was estimated
const ROOM_FOR_NAMES = 6; // as many live hands leave room for the names of what they hold

const nameOf = (seat) => seat.name || word("seat", { seat: seat.seat });
const counted = (name, number) => (number === 1 ? word(`${name}-1`) : word(name, { number }));
const ended = (view) => view.street === "over" || view.street === "void";

/** Seats in the order of action. A hand that folded stays to the end of its street. */
export function shownSeats(view) {
  const now = new Set((view.history ?? []).at(-1)?.acts.filter((act) => act.verb === "fold").map((act) => act.seat));
  const dealt = (view.seats ?? []).filter((seat) => !GONE.has(seat.state));
  const shown = dealt.filter((seat) => seat.state !== "folded" || (!ended(view) && view.street !== "showdown" && (!view.history?.length || now.has(seat.seat))));
  return shown.sort((one, other) => (one.order || one.seat) - (other.order || other.seat));
}

/** The cards that win, by face; none before the hand is over, or if nobody had to show. */
export function winningCards(view) {
  const winners = (view.seats ?? []).filter((seat) => seat.won > 0).map((seat) => seat.seat);
  const shown = (view.seats ?? []).filter((seat) => seat.state !== "folded" && seat.faces?.length);
  if (view.street !== "over" || !winners.length || shown.length < 2) return new Set();
  const hands = (view.hands ?? []).filter((hand) => winners.includes(hand.seat));
  return new Set(hands.flatMap((hand) => (hand.made ?? []).flatMap((made) => made.cards)));
}

/** How long the level goes on, as minutes and seconds. */
function left(until, now) {
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** What is to be said of the level: label and text per item. What the address says goes before what the engine knows. */
function levels({ level: known }, { level, until, now }) {
  const label = level ? word("level", { level }) : word("level-clock");
  if (level || until) return [["level", label, until ? left(until, now) : ""]];
  if (!known) return [];
  const clock = known.paused ? left(known.left_s * 1000, 0) : left(known.ends_wall_ns / 1e6, now);
  return [
    known.timed && !known.break_ends_wall_ns ? ["level", known.paused ? word("level-paused") : label, clock] : null,
    known.break_ends_wall_ns ? ["break", word("break"), left(known.break_ends_wall_ns / 1e6, now)] : null,
    known.hand_for_hand ? ["hand-for-hand", "", word("hand-for-hand")] : null].filter(Boolean);
}

/** What is special about the hand as such: its name, its label and text; a straddle stands at its seat. */
const NAMED = { bomb: "bomb-pot", kill: "kill-pot", "half-kill": "half-kill" };
const special = (view) => (view.specials ?? []).find((each) => each.kind in NAMED);

function meta(view, wants) {
  const { show, say } = wants;
  const [low, high] = view.stakes ?? [0, 0];
  const posted = (view.seats ?? []).some((seat) => seat.position === "BB"); // else these are the bets of a limit game
  const item = (name, label, text) => make("span", { class: "item", part: "item", id: `meta-${name}` }, label ? make("small", {}, label) : null, make("b", {}, text));
  const items = [
    show.has("game") && view.title ? item("game", word("game"), gameName(view)) : null,
    ...(show.has("blinds") ? levels(view, wants) : []).map((said) => item(...said)),
    show.has("blinds") && high && special(view)?.kind !== "bomb" ? item("blinds", word(posted ? "blinds" : "stakes"), `${say(low)} / ${say(high)}`) : null,
    show.has("blinds") && special(view) ? item("special", word(NAMED[special(view).kind]), say(special(view).amount)) : null,
    show.has("blinds") && view.ante && special(view)?.kind !== "bomb" ? item("ante", word("ante"), say(view.ante)) : null,
    show.has("hand") && view.hand ? item("hand", word("hand"), String(view.hand)) : null,
    show.has("doubt") && view.in_doubt ? item("doubt", word("record"), word("in-doubt")) : null].filter(Boolean);
  return items.length ? make("div", { class: "plate meta", part: "meta", id: "meta" }, ...items) : null;
}

function boards(view, id, wins) {
  // Of a hand that is run twice, and of two boards, the first lies above the second.
  const between = (view.between_boards ?? []).map((faces, at) => [`board-${at + 2}`, faces]);
  return [["first-board", view.first_board], ...between, ["board", view.board]].filter(([, faces]) => faces?.length).map(([name, faces]) =>
    make("div", { class: "board plate", part: "board", id: id(name) },
      ...faces.map((face, at) => card(face, id(`${name}-${at}`), wins.has(face)))));
}

function pot(view, id, say) {
  if (!view.pot || ended(view)) return null;
  // Side pots are of interest only when betting is closed for somebody, and contested.
  const round = (view.seats ?? []).some((seat) => seat.bet);
  const contested = (view.shares ?? []).filter((share) => share.seats?.length > 1);
  const sides = !round && contested.length > 1 ? contested : [];
  return make("div", { class: "plate pot", part: "pot", id: id("pot"), "data-sides": sides.length || null },
    make("span", { class: "sum" }, make("small", {}, word("pot")), make("b", {}, say(view.pot))),
    ...sides.map((side, at) => make("span", { class: "side", id: id(`side-${at}`) }, make("small", {}, at ? word("side", { number: at }) : word("main")), make("b", {}, say(side.amount)))));
}

/** Who won, how much and with what, in place of the pot. */
function result(view, id, say) {
  const winners = view.street === "over" ? (view.seats ?? []).filter((seat) => seat.won > 0) : [];
  if (!winners.length) return null;
  const shown = winningCards(view).size > 0;
  return make("div", { class: "plate result", part: "result", id: id("result") }, ...winners.slice(0, 3).map((seat) => {
    const made = shown ? ((view.hands ?? []).find((hand) => hand.seat === seat.seat)?.made ?? []).map(handName).join("  ·  ") : "";
    return make("span", { id: id(`result-${seat.seat}`) }, make("small", { class: "winner" }, nameOf(seat)), make("b", {}, word("wins-amount", { amount: say(seat.won) })),
      made ? make("small", {}, made) : null);
  }));
}

function doing(seat, view, say) {
  if (seat.won) return [word("wins"), say(seat.won)];
  if (ended(view)) return ["", ""];
  if (view.to_act === seat.seat && view.to_call) return [word("to-call"), say(view.to_call)]; // more than what it did before
  const act = seat.act ?? ""; // the amount stands beside the word
  const amount = seat.bet ? say(seat.bet) : "";
  if (act) return [word(act), amount];
  const put = (view.specials ?? []).find((each) => each.seat === seat.seat); // what it put up before the cards
  if (put && amount) return [word(put.kind), amount];
  return [seat.state === "all-in" ? word("allin") : "", amount];
}

function seatPlate(seat, view, { show, say }, id, wins, roomy) {
  const hand = (view.hands ?? []).find((each) => each.seat === seat.seat);
  const over = ended(view);
  const folded = seat.state === "folded";
  const faces = folded ? [] : seat.faces?.length ? [...seat.faces, ...Array(over ? 0 : Math.max(0, seat.cards - seat.faces.length)).fill(null)]
    : Array(over ? 0 : seat.cards || 0).fill(null);
  const [does, amount] = doing(seat, view, say);
  const percent = hand?.equity === undefined || hand.equity === null || !show.has("equity") ? null : Math.round(hand.equity * 100);
  const names = roomy && !folded ? (hand?.made ?? []).map(handName) : [];
  const outs = roomy && percent !== null && percent < 100 ? hand.outs?.length ?? 0 : 0;
  const plate = make("li", { class: "plate seat", part: "seat", id: id(`seat-${seat.seat}`), "data-seat": seat.seat, "data-state": seat.state,
    "data-act": seat.act || null, "data-acts": view.to_act === seat.seat, "data-cards": Math.max(seat.cards, seat.faces?.length ?? 0),
    "data-focus": view.direction?.focus === seat.seat, "data-loses": wins.size > 0 && !seat.won, "data-wins": seat.won > 0 },
  make("span", { class: "position", part: "position" }, seat.position || String(seat.seat)),
  make("span", { class: "hand", part: "hand" },
    ...faces.map((face, at) => card(face, id(`card-${seat.seat}-${at}-${face ? "up" : "down"}`), wins.has(face) && seat.won > 0))),
  make("span", { class: "line who" }, make("b", { class: "name", part: "name" }, nameOf(seat)),
    percent === null ? null : make("span", { class: "equity", part: "equity" }, view.error > SAMPLED ? make("small", {}, "≈") : null, String(percent), make("small", {}, "%"))),
  make("span", { class: "line has" }, make("span", { class: "stack", part: "stack" }, show.has("stacks") && (seat.stack || seat.state !== "all-in") ? say(seat.stack) : ""),
    make("span", { class: "does", part: "action" }, make("em", {}, does), amount ? make("b", { class: "bet" }, amount) : null)),
  names.length || outs ? make("span", { class: "made", part: "made" }, make("span", {}, names.join("  ·  ")), outs ? make("b", { class: "outs" }, counted("outs", outs)) : null) : null,
  percent === null ? null : make("i", { class: "bar", part: "bar" }, make("i", {})));
  plate.querySelector(".bar > i")?.style.setProperty("scale", `${percent / 100} 1`);
  return plate;
}

function history(view, say) {
  const streets = (view.history ?? []).filter((street) => street.acts.length);
  if (!streets.length) return null;
  const names = new Map((view.seats ?? []).map((seat) => [seat.seat, seat.position || nameOf(seat)]));
  const done = ({ seat, verb, total }) => word(`did-${verb}`, { who: names.get(seat), amount: say(total) });
  // The newest first, and laid out from the right: what has no room any more is the oldest.
  const items = streets.flatMap((street) => [make("li", { class: "street" }, streetName(street.street)),
    ...street.acts.map((act) => make("li", { "data-act": act.verb }, done(act)))]);
  return make("ol", { class: "plate history", part: "history", id: "history" }, ...items.reverse());
}

function counts(view, { say }) {
  const seats = (view.seats ?? []).filter((seat) => seat.state !== "empty");
  if (!seats.length) return null;
  const [, big] = view.stakes ?? [0, 0];
  const sorted = seats.map((seat) => ({ ...seat, chips: seat.stack + (ended(view) ? 0 : seat.bet) })).sort((one, other) => other.chips - one.chips);
  return make("table", { class: "plate counts", part: "counts", id: "counts" },
    make("caption", {}, word("chip-counts")),
    make("tbody", {}, ...sorted.map((seat, at) => make("tr", { "data-state": seat.state }, make("td", { class: "place" }, String(at + 1)), make("th", {}, nameOf(seat)),
      make("td", {}, say(seat.chips)), make("td", { class: "blinds" }, big ? word("bb", { number: Math.round(seat.chips / big) }) : "")))));
}

/** The element with a picture of the site as the value of this property, if there is one. */
function pictured(element, property, file, address) {
  if (file && address) element.style.setProperty(property, `url("${address(file)}")`);
  return element;
}

/** The lower third of a player. The director's player goes before the one in the address. */
function lowerThird(view, { show, say, player, portrait }) {
  const named = view.direction?.third || (show.has("player") ? player.seat : 0);
  const seat = (view.seats ?? []).find((each) => each.seat === named);
  if (!seat || seat.state === "empty") return null;
  const [, big] = view.stakes ?? [0, 0];
  const known = (view.players ?? []).find((each) => each.seat === named) ?? {};
  const asked = player.seat === named ? player : {}; // what the address says goes before what the site knows
  const flag = asked.flag || known.flag;
  const line = asked.line || known.line;
  const third = make("div", { class: "plate third", part: "player", id: `player-${named}` },
    make("span", { class: "portrait", part: "portrait", "data-picture": Boolean(known.picture && portrait) }), flag ? make("span", { class: "flag", part: "flag" }, flag) : null,
    make("b", { class: "name" }, nameOf(seat)), make("span", { class: "about" }, line ? make("span", { class: "line-of-text" }, line) : null, seat.hands ? make("span", { class: "played" }, counted("hands", seat.hands)) : null),
    make("span", { class: "stack" }, make("b", {}, say(seat.stack)), big ? make("small", {}, word("big-blinds", { number: Math.round(seat.stack / big) })) : null));
  pictured(third.querySelector(".portrait"), "background-image", known.picture, portrait);
  return third;
}

/** The elements of a picture. `show`: a set of names; `numbers`: "auto", "full" or "short"; `player`: seat, flag and line of the lower third;
 * `level`, `until`: the level of a tournament, and when it ends, as milliseconds like `now`; `portrait`: the address of a picture by the name of its file. */
export function draw(picture, { show, numbers, round, player, portrait, level = "", until = 0 }, now = 0) {
  if (picture.direction?.picture === false) return [];
  const view = { ...picture, seats: (picture.seats ?? []).map((seat) => ({ ...seat, stack: rounded(seat.stack, round) })) };
  const say = (amount) => chips(amount, numbers);
  const wants = { show, say, player, portrait, level, until, now };
  const id = (name) => `h${view.hand}-${name}`;
  const wins = winningCards(view);
  const seats = show.has("seats") && view.direction?.layout !== "board" ? shownSeats(view) : [];
  const roomy = seats.filter((seat) => seat.state !== "folded").length <= ROOM_FOR_NAMES;
  const middle = [...(show.has("board") && view.street !== "void" ? boards(view, id, wins) : []), show.has("pot") ? pot(view, id, say) ?? result(view, id, say) : null].filter(Boolean);
  const place = (name) => (show.has(name) ? pictured(make("div", { class: name, part: name, id: name }), "--tb-of-site", view[name], portrait) : null);
  return [
    place("logo"), view.direction?.sponsor === false ? null : place("sponsor"), meta(view, wants),
    middle.length ? make("div", { class: "middle", id: "middle" }, ...middle) : null,
    seats.length ? make("ol", { class: "seats", id: "seats", "data-roomy": roomy }, ...seats.map((seat) => seatPlate(seat, view, wants, id, wins, roomy))) : null,
    show.has("history") || view.direction?.history ? history(view, say) : null,
    show.has("counts") || view.direction?.counts ? counts(view, wants) : null,
    lowerThird(view, wants)].filter(Boolean);
}
