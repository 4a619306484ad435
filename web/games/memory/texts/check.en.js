// @ts-check
import { addTexts } from "../../../texts/texts.js";

/** The sentences of Memory in English that only the results of a check have. */
export const en = {
  "check.deck.holds": "Game {game}: dealt again from these numbers, all {count} flipped cards are the same.",
  "check.deck.holds.one": "Game {game}: dealt again from these numbers, the one flipped card is the same.",
  "check.deck.fails": "Game {game}: dealt again from these numbers, event {version} should have shown something else.",
};

addTexts({ en });
