// Shows each token of the style sheet as what it is: a colour as a ground, a size as a text, a time as a movement.

const shown = { colour: "background", size: "fontSize", font: "fontFamily", space: "width", shape: "borderRadius", motion: "animationDuration" };

for (const [kind, property] of Object.entries(shown)) {
  for (const item of document.querySelectorAll(`.${kind}[data-token]`)) {
    item.querySelector(".swatch").style[property] = `var(--${item.dataset.token})`;
  }
}
