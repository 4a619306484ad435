// @ts-check

/** The sentences of Reversi in Spanish. */
export const es = {
  "reversi": "Reversi",
  "reversi.resign": "Rendirse",
  "reversi.resign.question": "¿Rendirte en esta partida?",
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
  "how.reversi": "Pon una ficha de modo que fichas del otro color queden en línea recta entre ella y otra de las tuyas. Todas se giran, en cada dirección. Empiezan las negras. Si no puedes mover, pasas. Si nadie puede mover, gana quien tenga más fichas. Si se te acaba el tiempo, pierdes.",
  "error.cell-is-taken": "Ahí ya hay una ficha.",
  "error.flips-nothing": "Una ficha ahí no giraría ninguna.",
};
