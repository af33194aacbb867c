// The whole table: seats, board, pot, blinds.

import { Graphic } from "./graphic.js";

export default class TableGraphic extends Graphic {}
