// @ts-check

/** The sentences in English that only the page of the rules has for Go Fish. */
export const en = {
  "how.go-fish": "Collect all four cards of a rank: that’s a book. On your turn, ask another player for a rank that you hold yourself. They give you all their cards of that rank, and you ask again.",
  "how.go-fish.fish": "If they have none, you go fish: you draw the top card of the pond. If it’s the rank you asked for, you show it and ask again. If not, the next player asks. Remember who asked for what: they still hold it.",
  "how.go-fish.end": "A player without cards draws one. When all books are laid down, the most books win. The room can also play for pairs, which suits children. If your time runs out, the turn passes on; after three times in a row you’re out, and your cards go under the pond.",
};
