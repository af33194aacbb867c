// A stage for a picture of the overlay inside another page: it has its real size and is made smaller as a whole, and the style
// sheets of the overlay hold inside it and nowhere else.

import "./table.js";

export const SIZES = { "16x9": [1920, 1080], "9x16": [1080, 1920], row: [1920, 1080], "row-9x16": [1080, 1920] };

/** The style sheet of this name below `root`. */
export async function sheet(root, name) {
  const made = new CSSStyleSheet();
  await made.replace(await (await fetch(`${root}/${name}.css`)).text());
  return made;
}

/** A table with these options in `host`, an element that gets the size of the whole picture. */
export function stage(host, options, sheets) {
  const [width, height] = SIZES[options.layout];
  const table = document.createElement("tb-table");
  table.options = options;
  table.dataset.layout = options.layout;
  table.dataset.deck = options.deck;
  host.style.width = `${width}px`;
  host.style.height = `${height}px`;
  host.attachShadow({ mode: "open" }).append(table);
  host.shadowRoot.adoptedStyleSheets = sheets;
  return table;
}
