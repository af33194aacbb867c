// Board and pot alone.

import { Graphic } from "./graphic.js";

export default class BoardGraphic extends Graphic {
  parts = "board,pot";
}
