// @ts-check

/** The sentences in English that only the page of the rules has for Goofspiel. */
export const en = {
  "how.goofspiel": "Everyone has the same cards, usually from 1 to 13. The prizes have the same values in points, and are turned up one after another. All players bid a card for it at the same time, face down. The highest bid wins the prize. Each card can be bid only once.",
  "how.goofspiel.ties": "A card that several players bid wins nothing: the highest card that only one player has bid wins. If there is none, the prize stays at stake and is added to the next one.",
  "how.goofspiel.end": "After the last prize the most points win. You can see which cards the others have left. If your time runs out, your lowest card is bid; after three times in a row you’re out. Fewer cards make a shorter game.",
};
