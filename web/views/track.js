// @ts-check

/** Most marks on a track; past it, only where games begin and end. */
const MARK_LIMIT = 300;
const GAMES = ["game-started", "game-ended"];
const MARKED = [...GAMES, "match", "player-left", "turn-expired", "resigned"];

/**
 * A range over the versions of a room, with marks where something happened that one looks for. Draws any position given
 * to the function it returns.
 * @param {HTMLInputElement} range
 * @param {HTMLElement} marks
 */
export function track(range, marks) {
  let marked = 0;
  /** @param {{version: number, events: any[], sentence: string}} position */
  return function draw({ version, events, sentence }) {
    if (events.length !== marked) {
      marked = events.length;
      marks.replaceChildren(...chosen(events).map((event) => mark(event, events.length)));
    }
    range.max = String(events.length);
    range.value = String(version);
    range.setAttribute("aria-valuetext", `${version}. ${sentence}`);
    range.style.setProperty("--at", share(version, events.length));
  };
}

const share = (version, count) => (count > 1 ? (version - 1) / (count - 1) : 0).toFixed(4);

function chosen(events) {
  const all = events.filter(({ type }) => MARKED.includes(type));
  return all.length <= MARK_LIMIT ? all : all.filter(({ type }) => GAMES.includes(type)).slice(-MARK_LIMIT);
}

function mark({ v, type, seat }, count) {
  const element = document.createElement("i");
  element.dataset.type = type;
  if (seat !== undefined) element.dataset.seat = String(seat);
  element.style.setProperty("--at", share(v, count));
  return element;
}
