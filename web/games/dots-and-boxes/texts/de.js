// @ts-check

/** The sentences of dots and boxes in German. */
export const de = {
  "dots-and-boxes": "Käsekästchen",
  "dots-and-boxes.size": "Feld",
  "dots-and-boxes.dots": "{size} × {size} Punkte",
  "dots-and-boxes.resign": "Aufgeben",
  "dots-and-boxes.resign.question": "Dieses Spiel aufgeben?",
  "dots-and-boxes.draw-line": "{name} zieht eine Linie.",
  "dots-and-boxes.draw-line.you": "Du ziehst eine Linie.",
  "dots-and-boxes.box": "{name} zieht eine Linie und gewinnt ein Kästchen.",
  "dots-and-boxes.box.you": "Du ziehst eine Linie und gewinnst ein Kästchen.",
  "dots-and-boxes.boxes": "{name} zieht eine Linie und gewinnt zwei Kästchen.",
  "dots-and-boxes.boxes.you": "Du ziehst eine Linie und gewinnst zwei Kästchen.",
  "dots-and-boxes.boxes-left": "Noch {count} Kästchen",
  "dots-and-boxes.boxes-left.one": "Noch 1 Kästchen",
  "dots-and-boxes.resigned": "{name} hat aufgegeben.",
  "dots-and-boxes.resigned.you": "Du hast aufgegeben.",
  "dots-and-boxes.out": "Du bist ausgeschieden.",
  "dots-and-boxes.lying": "Waagrechte Linie {column} in Reihe {row}: {what}",
  "dots-and-boxes.standing": "Senkrechte Linie {column} in Reihe {row}: {what}",
  "dots-and-boxes.open": "frei",
  "dots-and-boxes.drawn": "gezogen von Platz {seat}",
  "dots-and-boxes.last": "{what}, letzter Zug",
  "how.dots-and-boxes": "Zieh eine Linie zwischen zwei benachbarten Punkten. Wer die vierte Seite eines Kästchens zieht, gewinnt es und ist gleich noch einmal dran. Sind alle Linien gezogen, gewinnt, wer die meisten Kästchen hat. Wenn deine Zeit abläuft, scheidest du aus, aber deine Kästchen zählen.",
  "how.dots-and-boxes.chains": "Zieh möglichst nicht die dritte Seite eines Kästchens: Wer danach dran ist, nimmt es sich. Am Ende bleiben nur lange Reihen übrig, und jemand muss eine öffnen.",
  "error.line-is-drawn": "Diese Linie ist schon gezogen.",
};
