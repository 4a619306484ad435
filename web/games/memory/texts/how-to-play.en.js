// @ts-check

/** The sentences in English that only the page of the rules has for Memory. */
export const en = {
  "rule.pairs.match": "+1",
  "rule.pairs.miss": "0",
  "rule.pairs.remark": "",
  "rule.memorize.match": "+2",
  "rule.memorize.miss": "−1 for each card that had been seen before",
  "rule.memorize.remark": "A card counts as seen once it has been flipped back. The score can drop below 0.",
  "rule.easy.match": "+10",
  "rule.easy.miss": "0",
  "rule.easy.remark": "",
  "rule.medium.match": "+10 plus a bonus of 0 to 5",
  "rule.medium.miss": "0",
  "rule.medium.remark": "",
  "rule.hard.match": "+10 plus a bonus of 0 to 5",
  "rule.hard.miss": "−5",
  "rule.hard.remark": "Never below 0.",
  "how.memory": "The cards lie face down. On your turn, flip two. If they match, keep them and go again. If not, they flip back, and the next player takes a turn. Remember what you saw.",
  "how.scores": "When all pairs are found, the most points win. The room chooses how to score a pair:",
  "how.pair": "Match",
  "how.no-pair": "No match",
  "how.bonus": "Bonus: one point for each second left of the five when you flip the second card. Shuffle mixes the face-down cards: any time when you play alone, once per game with others, on your turn while no card is up, or in a race whenever no card is up. Start over deals again if everyone agrees.",
  "how.race": "In a race, everyone flips at once. Flip the match of any card that is face up, even another player’s, and the pair is yours. A single card soon flips back.",
};
