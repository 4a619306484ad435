// @ts-check
import { about, text } from "../../texts/texts.js";
import { isPicture, layoutOf } from "./layout.js";

/**
 * @typedef {import("./fold.js").View} View
 * @typedef {import("../game.js").BoardState<View>} State
 * @typedef {(seat: number) => {name: string, isYou: boolean}} Who
 */

/** @type {import("../game.js").BoardMaker<View>} */
export function board(root) {
  const prizes = block("prizes"), middle = block("middle"), players = block("players"), own = block("own");
  const prize = block("prize"), told = block("told"), stake = block("stake"), said = block("said");
  const hand = block("hand");
  told.append(stake, said);
  middle.append(prize, told);
  own.append(hand);
  root.replaceChildren(prizes, middle, players, own);
  let shown = { game: 0, rounds: 0 };

  return function draw(state) {
    const { view, game, seat, space, mayMove } = state;
    const who = state.who ?? ((/** @type {number} */ number) =>
      ({ name: text("goofspiel.seat", { seat: number + 1 }), isYou: number === seat }));
    // What has just happened moves; a page that opens shows it where it lies.
    const isNew = shown.game === game && view.rounds.length > shown.rounds;
    own.hidden = seat === undefined || view.hands[seat] === undefined;
    const sizes = layoutOf(space, view.cards, view.seats.length, !own.hidden);
    for (const [name, value] of Object.entries({ ...sizes, players: view.seats.length })) {
      root.style.setProperty(`--${name}`, String(value));
    }
    root.dataset.tight = String(sizes.own < 1);
    root.dataset.picture = String(isPicture(space, !own.hidden));
    drawPrizes(prizes, view);
    drawPrize(prize, view, shown.game === game);
    stake.textContent = view.stake > 0 ? text(`goofspiel.${mayMove ? "prompt" : "stake"}`, { count: view.stake }) : "";
    said.textContent = sayLast(view, who);
    drawList(players, view.seats, "div", "player", (element, other) => drawPlayer(element, other, state, who, isNew));
    if (!own.hidden) drawHand(own, hand, state);
    shown = { game, rounds: view.rounds.length };
  };
}

/** @param {string} name */
function block(name) {
  const element = document.createElement("div");
  element.className = `goofspiel-${name}`;
  return element;
}

/**
 * @param {string} name
 * @param {string | number} [words]
 */
function piece(name, words = "") {
  const element = document.createElement("span");
  element.className = `goofspiel-${name}`;
  element.textContent = String(words);
  return element;
}

/**
 * Makes `root` contain an element for each item, and draws each.
 * @template Item
 * @param {HTMLElement} root
 * @param {Item[]} items
 * @param {"div" | "span" | "button"} tag
 * @param {string} name
 * @param {(element: HTMLElement, item: Item, index: number) => void} draw
 */
function drawList(root, items, tag, name, draw) {
  while (root.children.length > items.length) root.lastElementChild?.remove();
  items.forEach((item, index) => {
    if (!root.children[index]) {
      const element = document.createElement(tag);
      element.className = `goofspiel-${name}`;
      root.append(element);
    }
    draw(/** @type {HTMLElement} */ (root.children[index]), item, index);
  });
}

/**
 * Replaces what is in `element` if it is to show something else, so that nothing moves twice.
 * @param {HTMLElement} element
 * @param {string} key
 * @param {() => Node[]} make
 */
function fill(element, key, make) {
  if (element.dataset.shows === key) return;
  element.dataset.shows = key;
  element.replaceChildren(...make());
}

/** @param {number} count */
const upTo = (count) => Array.from({ length: count }, (_, index) => index + 1);

/**
 * All prizes by value: the ones to come, and the rest struck out.
 * @param {HTMLElement} root
 * @param {View} view
 */
function drawPrizes(root, { cards, prize, prizes }) {
  root.setAttribute("role", "img");
  root.setAttribute("aria-label", text("goofspiel.to-come", { list: prizes.join(", ") || "–" }));
  drawList(root, upTo(cards), "span", "value", (element, value) => {
    element.textContent = String(value);
    element.dataset.state = value === prize ? "now" : prizes.includes(value) ? "open" : "gone";
  });
}

/**
 * The prizes of the last rounds that no one won.
 * @param {View} view
 */
function carried({ rounds }) {
  const since = rounds.map(({ winner }) => winner !== undefined).lastIndexOf(true);
  return rounds.slice(since + 1).map(({ prize }) => prize);
}

/**
 * The prize that is turned up, with those that are still at stake under it.
 * @param {HTMLElement} root
 * @param {View} view
 * @param {boolean} isKnown whether the board has shown this game before
 */
function drawPrize(root, view, isKnown) {
  const { prize, rounds } = view, under = carried(view), all = prize === undefined ? under : [...under, prize];
  root.setAttribute("role", "img");
  const kept = view.stake > 0 ? text("goofspiel.stake", { count: view.stake }) : "–";
  root.setAttribute("aria-label", prize === undefined ? kept : text("goofspiel.prize", { prize }));
  root.style.setProperty("--carried", String(Math.max(0, all.length - 1)));
  fill(root, `${rounds.length} ${all.join()}`, () => all.map((value, index) => {
    const card = face(value);
    card.dataset.prize = "true";
    card.style.setProperty("--under", String(all.length - 1 - index));
    if (value === prize && isKnown) card.dataset.arrives = String(rounds.length > 0);
    return card;
  }));
}

/** @param {number} value */
function face(value) {
  const card = piece("face");
  card.append(piece("corner", value), piece("number", value));
  return card;
}

/**
 * Who won the last round.
 * @param {View} view
 * @param {Who} who
 */
function sayLast({ rounds }, who) {
  const last = rounds.at(-1);
  if (!last) return "";
  const values = { count: last.stake };
  return last.winner === undefined ? text("goofspiel.kept", values) : about("goofspiel.won", who(last.winner), values);
}

/**
 * @param {HTMLElement} element
 * @param {number} other
 * @param {State} state
 * @param {Who} who
 * @param {boolean} isNew whether the last round has just ended
 */
function drawPlayer(element, other, { view, hands, seat }, who, isNew) {
  const { bidders, rounds, cards, out, awaited } = view, last = rounds.at(-1), before = last?.bids[other];
  const isOut = out.some((one) => one.seat === other), hasBid = bidders.includes(other);
  const open = hasBid ? hands[other]?.bid : undefined, { name } = who(other);
  const left = view.hands[other].filter((card) => card !== open);
  if (!element.firstChild) element.append(piece("name"), block("slot"), block("left"));
  const [called, slot, rest] = /** @type {HTMLElement[]} */ ([...element.children]);
  element.dataset.seat = String(other);
  element.dataset.turn = String(awaited.includes(other));
  element.dataset.out = String(isOut);
  element.dataset.you = String(other === seat);
  called.textContent = name;
  called.dir = "auto";
  fill(slot, [rounds.length, hasBid, open, before].join(), () => {
    const lying = [];
    if (before !== undefined && !hasBid) {
      const card = face(before);
      card.dataset.isNew = String(isNew);
      card.dataset.won = String(last?.winner === other);
      if (last?.winner === other) card.append(piece("won", `+${last.stake}`));
      lying.push(card);
    }
    if (open !== undefined) lying.push(face(open));
    else if (hasBid) lying.push(piece("back"));
    if (hasBid) lying[0].dataset.sealed = "true";
    return lying;
  });
  drawList(rest, upTo(cards), "span", "value", (one, value) => {
    one.textContent = String(value);
    one.dataset.state = left.includes(value) ? "open" : "gone";
  });
  element.setAttribute("role", "img");
  const what = isOut ? "is-out" : hasBid ? "has-bid" : "no-bid";
  element.setAttribute("aria-label", [
    text(`goofspiel.player.${what}`, { name }), before === undefined ? "" : text("goofspiel.before", { card: before }),
    text("goofspiel.left", { list: left.join(", ") || "–" }),
  ].filter(Boolean).join(", "));
}

/**
 * @param {HTMLElement} own
 * @param {HTMLElement} hand
 * @param {State} state
 */
function drawHand(own, hand, { view, hands, seat = 0, mayMove, asked }) {
  // A hand comes right after the events that change it.
  const bid = view.bidders.includes(seat) ? hands[seat]?.bid : undefined;
  const held = /** @type {number[]} */ (hands[seat]?.cards ?? view.hands[seat]);
  own.dataset.seat = String(seat);
  own.dataset.turn = String(mayMove);
  drawList(hand, upTo(view.cards), "button", "card", (element, value, index) => {
    const isHeld = held.includes(value), state = value === bid ? "bid" : isHeld ? "held" : "used";
    if (!element.firstChild) {
      Object.assign(element, { type: "button", tabIndex: -1 });
      element.dataset.target = String(index);
      element.append(face(value));
    }
    element.dataset.state = state;
    element.dataset.asked = String(asked.has(index));
    element.setAttribute("aria-disabled", String(!mayMove || !isHeld));
    const key = mayMove && isHeld ? "goofspiel.bid-it" : `goofspiel.card.${state}`;
    element.setAttribute("aria-label", text(key, { card: value }));
  });
  // One of them is in the tab order.
  const first = /** @type {HTMLElement} */ (hand.querySelector("[tabindex='0']") ?? hand.firstElementChild);
  first.tabIndex = 0;
}
