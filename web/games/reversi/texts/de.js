// @ts-check

/** The sentences of Reversi in German. */
export const de = {
  "reversi": "Reversi",
  "reversi.resign": "Aufgeben",
  "reversi.resign.question": "Dieses Spiel aufgeben?",
  "reversi.place-disc": "{name} setzt auf {cell} und dreht {count} um.",
  "reversi.place-disc.you": "Du setzt auf {cell} und drehst {count} um.",
  "reversi.pass": "{name} kann nicht ziehen und passt.",
  "reversi.pass.you": "Du kannst nicht ziehen und passt.",
  "reversi.resigned": "{name} hat aufgegeben.",
  "reversi.resigned.you": "Du hast aufgegeben.",
  "reversi.black": "schwarz",
  "reversi.white": "weiß",
  "reversi.empty": "leer",
  "reversi.legal": "leer, möglicher Zug",
  "reversi.last": "{what}, letzter Zug",
  "how.reversi": "Setz einen Stein so, dass Steine der anderen Farbe in gerader Linie zwischen ihm und einem weiteren von deinen liegen. Sie alle drehen sich um, in jeder Richtung. Schwarz beginnt. Wenn du nicht ziehen kannst, passt du. Kann keine Seite ziehen, gewinnen die meisten Steine. Wenn deine Zeit abläuft, verlierst du.",
  "error.cell-is-taken": "Hier liegt schon ein Stein.",
  "error.flips-nothing": "Ein Stein dort würde nichts umdrehen.",
};
