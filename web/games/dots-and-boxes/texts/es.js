// @ts-check

/** The sentences of dots and boxes in Spanish. */
export const es = {
  "dots-and-boxes": "Puntos y cajas",
  "dots-and-boxes.size": "Tablero",
  "dots-and-boxes.dots": "{size} × {size} puntos",
  "dots-and-boxes.resign": "Rendirse",
  "dots-and-boxes.resign.question": "¿Rendirte en esta partida?",
  "dots-and-boxes.draw-line": "{name} ha trazado una línea.",
  "dots-and-boxes.draw-line.you": "Has trazado una línea.",
  "dots-and-boxes.box": "{name} ha trazado una línea y gana una caja.",
  "dots-and-boxes.box.you": "Has trazado una línea y ganas una caja.",
  "dots-and-boxes.boxes": "{name} ha trazado una línea y gana dos cajas.",
  "dots-and-boxes.boxes.you": "Has trazado una línea y ganas dos cajas.",
  "dots-and-boxes.boxes-left": "Quedan {count} cajas",
  "dots-and-boxes.boxes-left.one": "Queda 1 caja",
  "dots-and-boxes.resigned": "{name} se ha rendido.",
  "dots-and-boxes.resigned.you": "Te has rendido.",
  "dots-and-boxes.out": "Estás fuera de esta partida.",
  "dots-and-boxes.lying": "Línea horizontal {column} de la fila {row}: {what}",
  "dots-and-boxes.standing": "Línea vertical {column} de la fila {row}: {what}",
  "dots-and-boxes.open": "libre",
  "dots-and-boxes.drawn": "trazada por el asiento {seat}",
  "dots-and-boxes.last": "{what}, última jugada",
  "how.dots-and-boxes": "Traza una línea entre dos puntos vecinos. Quien traza el cuarto lado de una caja la gana y juega otra vez. Cuando están todas las líneas, gana quien tenga más cajas. Si se te acaba el tiempo, quedas fuera, pero tus cajas cuentan.",
  "how.dots-and-boxes.chains": "Si puedes, no traces el tercer lado de una caja: se la lleva quien juega después. Al final solo quedan filas largas, y alguien tiene que abrir una.",
  "error.line-is-drawn": "Esta línea ya está trazada.",
};
