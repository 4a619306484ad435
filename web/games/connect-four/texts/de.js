// @ts-check

/** The sentences of connect four in German. */
export const de = {
  "connect-four": "Vier gewinnt",
  "connect-four.resign": "Aufgeben",
  "connect-four.resign.question": "Dieses Spiel aufgeben?",
  "connect-four.drop-disc": "{name} wirft einen Stein in Spalte {column}.",
  "connect-four.drop-disc.you": "Du wirfst einen Stein in Spalte {column}.",
  "connect-four.drop-disc.line": "{name} wirft einen Stein in Spalte {column}: vier in einer Reihe.",
  "connect-four.drop-disc.line.you": "Du wirfst einen Stein in Spalte {column}: vier in einer Reihe.",
  "connect-four.resigned": "{name} hat aufgegeben.",
  "connect-four.resigned.you": "Du hast aufgegeben.",
  "connect-four.hole": "Spalte {column}, Reihe {row}: {what}",
  "connect-four.empty": "leer",
  "connect-four.disc": "Stein von Platz {seat}",
  "connect-four.last": "{what}, letzter Zug",
  "connect-four.in-line": "{what}, in der Gewinnreihe",
  "how.connect-four": "Wirf einen Stein in eine von sieben Spalten. Er fällt auf den untersten freien Platz. Mit vier eigenen Steinen in einer Reihe, waagrecht, senkrecht oder schräg, gewinnst du. Ist das Spielfeld vorher voll, ist es unentschieden. Wenn deine Zeit abläuft, verlierst du.",
  "error.column-is-full": "Diese Spalte ist voll.",
};
