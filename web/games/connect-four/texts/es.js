// @ts-check

/** The sentences of connect four in Spanish. */
export const es = {
  "connect-four": "Cuatro en línea",
  "connect-four.resign": "Rendirse",
  "connect-four.resign.question": "¿Te rindes en esta partida?",
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
  "connect-four.in-line": "{what}, en la línea de cuatro",
  "how.connect-four": "Suelta una ficha en una de las siete columnas: cae hasta el hueco libre más bajo. Gana quien pone cuatro suyas en línea: horizontal, vertical o diagonal. Si antes se llena el tablero, hay empate. Pierde quien se quede sin tiempo.",
  "error.column-is-full": "Esta columna está llena.",
};
