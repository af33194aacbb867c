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

start();
