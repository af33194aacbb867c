// The wall: nothing to press, only what comes in.

import { start } from "./page.js";

start();
