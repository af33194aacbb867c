// The overlay page, and the director's preview: everything comes from the stream that the page names.

import { options } from "./overlay_options.js";
import { Screen } from "./overlay_screen.js";
import "./table.js";

const ask = new URLSearchParams(location.search);
const { stream, assets } = document.body.dataset;
const table = document.querySelector("tb-table");
const root = document.documentElement;
const screen = new Screen(table);
const own = document.getElementById("theme");
let worn = own; // the theme in force: that of the address unless the director chooses another

function dress(theme) {
  const wanted = theme === "own" ? own.dataset.theme : theme;
  if (worn.dataset.theme === wanted) return;
  const link = Object.assign(own.cloneNode(), { href: own.href.replace(/theme-\w+/, `theme-${wanted}`) });
  link.id = "";
  link.dataset.theme = wanted;
  const before = worn;
  worn = link;
  link.onload = () => before.remove(); // until then the picture stays as it is
  before.after(link);
}

table.options = options(ask);
root.dataset.layout = table.dataset.layout = table.options.layout;
table.dataset.deck = table.options.deck;
if (table.options.scale) root.style.setProperty("--tb-scale", table.options.scale);

const key = ask.get("key");
const feeds = stream.replace("/live/overlay/", "/feeds/");
table.options.portrait = (file) => `${feeds}/players/${encodeURIComponent(file)}${key ? `?key=${encodeURIComponent(key)}` : ""}`;
screen.adapt = (view) => {
  dress(view.direction?.theme ?? "own");
  return view;
};
screen.open(stream + (key ? `?key=${encodeURIComponent(key)}` : ""), (now) => {
  if (now.assets !== assets && screen.between) location.reload();
});
