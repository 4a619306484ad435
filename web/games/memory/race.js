// @ts-check

/**
 * A race: everyone turns cards at once (`order: free`). Its view has `attempts`, the cards that each seat has up, in
 * place of `mover`.
 * @typedef {import("./fold.js").View} View
 * @typedef {View & {attempts: NonNullable<View["attempts"]>}} Race
 */

/**
 * @param {View} view
 * @returns {view is Race}
 */
export const isRace = (view) => view.attempts !== undefined;

/**
 * The seat whose player has turned up the card on `cell`.
 * @param {View} view
 * @param {number} cell
 */
export function ownerOf({ attempts = {} }, cell) {
  const found = Object.entries(attempts).find(([, { cells }]) => cells.includes(cell));
  return found && Number(found[0]);
}

/**
 * The cards of attempts that have failed: they turn back soon.
 * @param {Race} view
 */
export const failed = ({ attempts, awaited }) => Object.entries(attempts).flatMap(([seat, { cells }]) =>
  (cells.length > 1 && !awaited.includes(Number(seat)) ? cells : []));

/**
 * What changes when a seat turns a card up; with a match the attempt has not failed.
 * @param {Race} view
 * @param {import("../../net/messages.js").EventShowCard} event
 * @param {boolean} isMatch
 * @param {boolean} hasBonus
 */
export function turnedUp(view, { cell, seat, t }, isMatch, hasBonus) {
  const { attempts, awaited, options, turns, up } = view, before = attempts[seat];
  const cells = [...before?.cells ?? [], cell];
  const first = options.turnTime ? t + 1_000 * options.turnTime : undefined;
  /** @type {Race["attempts"][string]} */
  const attempt = !before ? { cells, ...(first !== undefined && { until: first }), ...(hasBonus && { bonusFrom: t }) }
    : isMatch ? { ...before, cells } : { cells, until: t + (options.reveal ?? 0) };
  return {
    up: [...up, cell], attempts: { ...attempts, [seat]: attempt },
    turns: before ? turns : { ...turns, [seat]: turns[seat] + 1 },
    awaited: before && !isMatch ? awaited.filter((other) => other !== seat) : awaited,
  };
}

/**
 * What changes when `gone` are not up any longer. A player with none left may turn cards again.
 * @param {Race} view
 * @param {number[]} gone
 */
export function turnedDown({ attempts, awaited, seats, up }, gone) {
  const isLeft = (/** @type {number} */ cell) => !gone.includes(cell);
  const after = Object.entries(attempts).map(([seat, attempt]) =>
    ({ seat: Number(seat), attempt: { ...attempt, cells: attempt.cells.filter(isLeft) } }));
  const isOver = (/** @type {typeof after[0]} */ { attempt }) => attempt.cells.length === 0;
  const free = [...awaited, ...after.filter(isOver).map(({ seat }) => seat)];
  return {
    up: up.filter(isLeft), awaited: seats.filter((seat) => free.includes(seat)),
    attempts: Object.fromEntries(after.filter((one) => !isOver(one)).map(({ seat, attempt }) => [seat, attempt])),
  };
}

/**
 * The attempts after the hub could not be played for `ms`.
 * @param {Race} view
 * @param {number} ms
 */
export const extended = ({ attempts }, ms) => Object.fromEntries(Object.entries(attempts).map(([seat, attempt]) => {
  const after = { ...attempt };
  if (after.until !== undefined) after.until += ms;
  if (after.bonusFrom !== undefined) after.bonusFrom += ms;
  return [seat, after];
}));
