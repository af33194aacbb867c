// One stream per page. `events`: who takes which other events, whose data are JSON. The page is connecting until the server beats for the first time. It is live while the server beats
// and says that the table is there; it is stale after 5 seconds and lost after 15. A broken stream is opened again for ever, after 1, 2, 4 and then every 5 seconds.

const STALE_S = 5;
const LOST_S = 15;
const WAITS_S = [1, 2, 4, 5];

export function follow(url, { block, events = {}, beat, state, pauseHidden = true }) {
  let source = null;
  let timer = 0;
  let tries = 0;
  let opened = 0;
  let heard = performance.now();
  let beaten = false;
  let awayS = 0;
  let serverMs = 0;
  let shown = "";

  const ageS = () => (performance.now() - heard) / 1000 + awayS;
  const nowMs = () => serverMs + (performance.now() - heard);

  function judge() {
    const age = ageS();
    const is = age > LOST_S ? "lost" : !beaten ? "connecting" : age > STALE_S ? "stale" : "live";
    if (is !== shown) {
      shown = is;
      state(is, serverMs - awayS * 1000);
    }
  }

  function close() {
    clearTimeout(timer);
    source?.close();
    source = null;
  }

  function again() {
    close();
    const wait = WAITS_S[Math.min(tries, WAITS_S.length - 1)] * (0.8 + 0.2 * Math.random());
    tries += 1;
    timer = setTimeout(open, wait * 1000);
  }

  function open() {
    close();
    opened = performance.now();
    source = new EventSource(url);
    source.addEventListener("block", (event) => block?.(event.data));
    for (const [name, take] of Object.entries(events)) source.addEventListener(name, (event) => take(JSON.parse(event.data)));
    source.addEventListener("beat", (event) => {
      const beatNow = JSON.parse(event.data);
      tries = 0;
      beaten = true;
      heard = performance.now();
      awayS = beatNow.away_s;
      serverMs = beatNow.wall_ms;
      beat?.(beatNow);
      judge();
    });
    source.onerror = again;
  }

  const judging = setInterval(() => {
    judge();
    const silentS = (performance.now() - Math.max(heard, opened)) / 1000;
    if (source?.readyState === EventSource.OPEN && silentS > LOST_S) again(); // a stream that says nothing is no stream
  }, 500);

  if (pauseHidden) {
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) {
        if (document.body.dataset.shift !== "on") close(); // who is on shift is to hear what happens meanwhile
      } else if (!source) {
        heard = Math.max(heard, performance.now() - STALE_S * 1000 - 1); // stale until the snapshot is there, not lost
        tries = 0;
        open();
      }
    });
  }
  addEventListener("pagehide", close);
  open();
  judge();
  function end() {
    clearInterval(judging);
    removeEventListener("pagehide", close);
    close();
  }

  return { nowMs, ageS, end };
}
