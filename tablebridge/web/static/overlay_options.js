// What an address asks of the overlay. What it does not know is left as it is by default.

const LAYOUTS = ["16x9", "9x16", "row", "row-9x16"];
const PARTS = "board,seats,stacks,pot,equity,blinds,hand,logo,sponsor";

/** `ask`: the parameters of the address. */
export function options(ask) {
  const scale = Number(ask.get("scale"));
  const numbers = ask.get("numbers");
  return {
    layout: LAYOUTS.find((layout) => layout === ask.get("layout")) ?? LAYOUTS[0],
    deck: ask.get("deck") === "2" ? "2" : "4",
    scale: scale >= 0.25 && scale <= 4 ? scale : 0,
    show: new Set((ask.get("show") ?? PARTS).split(",")),
    numbers: numbers === "short" || numbers === "full" ? numbers : "auto",
    round: Math.min(Math.max(0, Math.floor(Number(ask.get("round")) || 0)), 1e9),
    motion: ask.get("motion") ?? "on",
    level: (ask.get("level") ?? "").slice(0, 12),
    until: Date.parse(ask.get("until") ?? "") || 0,
    player: { seat: Number(ask.get("seat")) || 0, flag: (ask.get("flag") ?? "").slice(0, 3).toUpperCase(), line: (ask.get("line") ?? "").slice(0, 60) },
  };
}
