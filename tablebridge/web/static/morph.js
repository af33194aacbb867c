// Merges fresh HTML into the page: an element with the same id stays the same element, with its focus and what was typed
// in it. Children without an id are matched by their place. What the server only names (`data-same`) stays as it is.

const move = (parent, node, before) => (parent.moveBefore ?? parent.insertBefore).call(parent, node, before);

function attributes(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (name !== "open" && !fresh.hasAttribute(name)) old.removeAttribute(name); // what a person opened stays open
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) === value) continue;
    if (name === "style") old.style.cssText = value; // the page's policy allows no attribute with a style
    else old.setAttribute(name, value);
  }
}

function children(old, fresh) {
  const kept = new Map([...old.children].filter((child) => child.id).map((child) => [child.id, child]));
  const wanted = new Set([...fresh.children].map((child) => child.id).filter(Boolean));
  let here = old.firstChild;
  const passGone = () => {
    while (here?.id && !wanted.has(here.id)) {
      const gone = here;
      here = here.nextSibling;
      gone.remove();
    }
  };
  for (const want of [...fresh.childNodes]) {
    passGone();
    const match = want.id ? kept.get(want.id) : here && !here.id && here.nodeName === want.nodeName ? here : null;
    if (!match || match.nodeName !== want.nodeName) {
      old.insertBefore(want, here);
      continue;
    }
    if (match === here) here = here.nextSibling;
    else move(old, match, here);
    morph(match, want);
  }
  while (here) {
    const gone = here;
    here = here.nextSibling;
    gone.remove();
  }
}

export function morph(old, fresh) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  if ("same" in fresh.dataset) return;
  attributes(old, fresh);
  if (old.nodeName !== "TIME") children(old, fresh); // the page itself fills in what counts
}

export function parse(html) {
  const template = document.createElement("template");
  template.innerHTML = html.trim();
  return template.content.firstElementChild;
}
