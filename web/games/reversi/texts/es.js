// @ts-check

/** The sentences of Reversi in Spanish. */
export const es = {
  "reversi": "Reversi",
  "reversi.resign": "Rendirse",
  "reversi.resign.question": "¿Te rindes en esta partida?",
  "reversi.place-disc": "{name} ha puesto una ficha en {cell} y ha girado {count}.",
  "reversi.place-disc.you": "Has puesto una ficha en {cell} y has girado {count}.",
  "reversi.pass": "{name} no puede mover y pasa.",
  "reversi.pass.you": "No puedes mover y pasas.",
  "reversi.resigned": "{name} se ha rendido.",
  "reversi.resigned.you": "Te has rendido.",
  "reversi.black": "negra",
  "reversi.white": "blanca",
  "reversi.empty": "vacía",
  "reversi.legal": "vacía, jugada posible",
  "reversi.last": "{what}, última jugada",
  "how.reversi": "Pon una ficha de modo que una o más líneas rectas de fichas del otro color queden entre ella y otra de las tuyas: todas se giran. Empiezan las negras. Quien no puede mover pasa; si nadie puede, gana quien tenga más fichas. Pierde quien se quede sin tiempo.",
  "error.cell-is-taken": "Ahí ya hay una ficha.",
  "error.flips-nothing": "Una ficha ahí no giraría ninguna.",
};
