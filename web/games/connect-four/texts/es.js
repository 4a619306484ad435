// @ts-check

/** The sentences of connect four in Spanish. */
export const es = {
  "connect-four": "Cuatro en línea",
  "connect-four.resign": "Rendirse",
  "connect-four.resign.question": "¿Rendirte en esta partida?",
  "connect-four.drop-disc": "{name} ha puesto una ficha en la columna {column}.",
  "connect-four.drop-disc.you": "Has puesto una ficha en la columna {column}.",
  "connect-four.drop-disc.line": "{name} ha puesto una ficha en la columna {column}: cuatro en línea.",
  "connect-four.drop-disc.line.you": "Has puesto una ficha en la columna {column}: cuatro en línea.",
  "connect-four.resigned": "{name} se ha rendido.",
  "connect-four.resigned.you": "Te has rendido.",
  "connect-four.hole": "Columna {column}, fila {row}: {what}",
  "connect-four.empty": "vacía",
  "connect-four.disc": "ficha del sitio {seat}",
  "connect-four.last": "{what}, última jugada",
  "connect-four.in-line": "{what}, en la línea ganadora",
  "how.connect-four": "Suelta una ficha en una de las siete columnas. Cae hasta el hueco libre más bajo. Para ganar, pon cuatro fichas tuyas en línea: horizontal, vertical o diagonal. Si antes se llena el tablero, hay empate. Si se te acaba el tiempo, pierdes.",
  "error.column-is-full": "Esta columna está llena.",
};
