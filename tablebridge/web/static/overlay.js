// The overlay page, and the director's preview: everything comes from the stream that the page names.

import { options } from "./overlay_options.js";
import { Screen } from "./overlay_screen.js";
import "./table.js";

const ask = new URLSearchParams(location.search);
const { stream, assets } = document.body.dataset;
const table = document.querySelector("tb-table");
const root = document.documentElement;
const screen = new Screen(table);

table.options = options(ask);
root.dataset.layout = table.dataset.layout = table.options.layout;
table.dataset.deck = table.options.deck;
if (table.options.scale) root.style.setProperty("--tb-scale", table.options.scale);

const key = ask.get("key");
const feeds = stream.replace("/live/overlay/", "/feeds/");
table.options.portrait = (file) => `${feeds}/players/${encodeURIComponent(file)}${key ? `?key=${encodeURIComponent(key)}` : ""}`;
screen.open(stream + (key ? `?key=${encodeURIComponent(key)}` : ""), (now) => {
  if (now.assets !== assets && screen.between) location.reload();
});
