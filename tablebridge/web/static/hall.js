// The floor of a room: takes alerts, marks them as seen, and follows the stream.

import { send, start } from "./page.js";

async function act(button) {
  const incident = button.closest(".incident");
  const table = encodeURIComponent(incident.dataset.table);
  button.setAttribute("aria-busy", "true");
  for (const alert of JSON.parse(button.dataset.alerts)) {
    const reply = await send(`/api/tables/${table}/alerts/${encodeURIComponent(alert)}/${button.dataset.to}`, {});
    if (!reply.ok) break;
  }
  button.removeAttribute("aria-busy");
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-to]");
  if (button && event.detail < 2) act(button); // a double tap is one press
});

// What was found about records comes from the archive, which the floor does not need.
const found = document.querySelector("[data-found]");

async function look() {
  try {
    const answer = await fetch(found.dataset.found);
    if (!answer.ok || found.contains(document.activeElement)) return; // who is writing is not interrupted
    const open = new Set([...found.querySelectorAll("details[open]")].map((one) => one.parentElement.id));
    found.innerHTML = await answer.text();
    for (const id of open) document.getElementById(id)?.firstElementChild.setAttribute("open", "");
    found.hidden = !found.childElementCount;
  } catch {
    // The archive is away: what is shown stays, and is asked for again.
  }
}

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-settle]");
  if (!form) return;
  event.preventDefault();
  const button = form.querySelector("button");
  button.disabled = true;
  const reply = await send(`/api/found/${form.dataset.settle}/settled`, { why: form.elements.why.value });
  button.disabled = false;
  if (reply.ok) {
    document.activeElement.blur();
    look();
  }
});

if (found) {
  look();
  setInterval(look, 15000);
}

start();
