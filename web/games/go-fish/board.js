// @ts-check
import { isStill } from "../../store/settings.js";
import { about, text } from "../../texts/texts.js";
import { askable, FIRST_PLAYER, rankOf, RANKS } from "./fold.js";
import { nameOfRank, question } from "./game.js";
import { cardWidth } from "./layout.js";

/**
 * @typedef {import("./fold.js").View} View
 * @typedef {import("../game.js").BoardState<View>} State
 * @typedef {(seat: number) => {name: string, isYou: boolean}} Who
 */

/** How long a card flies, and how much later a drawn one follows a question, in ms. */
const FLIGHT = 620, LATER = 380;
/** The most backs that a fan shows. */
const FAN = 8;
/** The least height of the pond, and the greatest part of the board's that the own hand takes. */
const MIDDLE = 76, OWN_PART = 0.42;
/** A board that is lower than this, in px, shows no more than the cards. */
const LOW = 270;

/** @type {import("../game.js").BoardMaker<View>} */
export function board(root) {
  const around = box("around"), middle = box("middle"), own = box("own");
  const pond = box("pond"), said = box("said"), prompt = box("prompt"), laid = box("books"), hand = box("hand");
  middle.append(pond, said);
  own.append(prompt, hand, laid);
  root.replaceChildren(around, middle, own);
  let shown = { game: 0, cards: /** @type {string[]} */ ([]) };

  return function draw(state) {
    const { view, game, seat, hands, mayMove, asked, chosen, space, event } = state;
    const who = state.who ?? ((/** @type {number} */ number) =>
      ({ name: text("go-fish.seat", { seat: number + 1 }), isYou: number === seat }));
    const cards = /** @type {string[]} */ (hands[seat ?? -1]?.cards ?? []), free = askable(view, seat);
    const others = turned(view.seats, seat), isOpen = others.some((other) => hands[other]);
    const held = /** @type {HTMLElement} */ (document.activeElement), hadFocus = root.contains(held);
    root.dataset.open = String(isOpen);
    root.dataset.chosen = String(chosen !== undefined);
    root.style.setProperty("--columns", String(columnsFor(others.length, seat === undefined, isOpen, space.width)));
    drawList(around, "player", others, (other) => String(FIRST_PLAYER + other), (element, other) => {
      drawPlayer(element, other, state, who);
      const mayAsk = mayMove && chosen !== undefined && free.includes(other);
      element.dataset.asked = String(asked.has(FIRST_PLAYER + other));
      element.setAttribute("aria-disabled", String(!mayAsk));
      element.setAttribute("aria-label", labelOf(view, other, who(other).name, mayAsk ? chosen : undefined));
    });

    drawPond(pond, view.pond);
    said.textContent = sayLast(view, who);
    own.hidden = seat === undefined;
    if (seat !== undefined) {
      own.dataset.seat = String(seat);
      own.dataset.turn = String(view.awaited.includes(seat));
      drawBooks(laid, view, seat);
    }
    const only = free.length === 1 ? who(free[0]).name : undefined;
    const ranks = RANKS.filter((rank) => cards.some((card) => rankOf(card) === rank));
    prompt.textContent = !mayMove ? "" : chosen === undefined ? text("go-fish.pick-rank")
      : text("go-fish.pick-player", { ranks: nameOfRank(RANKS[chosen]) });
    const fresh = shown.game === game ? cards.filter((card) => !shown.cards.includes(card)) : [];
    const groups = ranks.map((rank) => cards.filter((card) => rankOf(card) === rank));
    const isLow = space.height < LOW;
    root.dataset.low = String(isLow);
    const taken = around.offsetHeight + (isLow ? 44 : MIDDLE) + prompt.offsetHeight + laid.offsetHeight + 6 * Math.min(12, space.height / 70);
    hand.style.setProperty("--card", `${cardWidth(groups.map(({ length }) => length), {
      width: around.offsetWidth, height: Math.min(space.height - taken, space.height * OWN_PART),
    })}px`);
    drawList(hand, "rank", groups, ([card]) => String(RANKS.indexOf(rankOf(card))), (element, group) => {
      const target = Number(element.dataset.target), rank = RANKS[target], name = nameOfRank(rank);
      fill(element, group.map((card) => face(card, fresh.includes(card))), group.join(" "));
      element.dataset.asked = String(asked.has(target));
      element.setAttribute("aria-disabled", String(!mayMove));
      // With a single other player a press asks at once.
      if (only === undefined) element.setAttribute("aria-pressed", String(chosen === target));
      else element.removeAttribute("aria-pressed");
      const label = text("go-fish.hold", { ranks: name, list: group.join(" ") });
      const asks = only !== undefined && mayMove ? `${text("go-fish.ask", { name: only, ranks: name })}, ` : "";
      element.setAttribute("aria-label", asks + label);
    });
    keepFocus(root, hadFocus ? held : null);
    if (event && shown.game === game && !isStill()) fly(root, /** @type {any} */ (event), seat);
    shown = { game, cards: hands[seat ?? -1] ? cards : shown.cards };
  };
}

/**
 * In how many columns the other players sit: in one row, unless there is space for more, or open hands need it.
 * @param {number} count
 * @param {boolean} isWatched by someone who does not play
 * @param {boolean} isOpen
 * @param {number} width
 */
function columnsFor(count, isWatched, isOpen, width) {
  if (isOpen && width < 560) return Math.min(count, 2);
  return (isWatched && count > 3) || isOpen ? Math.ceil(count / Math.ceil(count / 3)) : count;
}

/** @param {string} name */
function box(name) {
  const element = document.createElement("div");
  element.className = `go-fish-${name}`;
  return element;
}

/**
 * A small piece of an element, with words.
 * @param {string} name
 * @param {string} [words]
 */
function piece(name, words = "") {
  const element = document.createElement("span");
  element.className = `go-fish-${name}`;
  element.textContent = words;
  return element;
}

/**
 * The other seats in the order of turns, after the viewer's.
 * @param {number[]} seats
 * @param {number | undefined} seat
 */
function turned(seats, seat) {
  const at = seat === undefined ? -1 : seats.indexOf(seat);
  return at < 0 ? seats : [...seats.slice(at + 1), ...seats.slice(0, at)];
}

/**
 * Makes `list` contain a button for each item; a button stays as long as its target does.
 * @template Item
 * @param {HTMLElement} list
 * @param {string} name
 * @param {Item[]} items
 * @param {(item: Item) => string} targetOf
 * @param {(element: HTMLElement, item: Item) => void} draw
 */
function drawList(list, name, items, targetOf, draw) {
  const before = new Map([...list.children].map((one) => [/** @type {HTMLElement} */ (one).dataset.target, one]));
  const elements = items.map((item) => {
    const target = targetOf(item), known = /** @type {HTMLElement | undefined} */ (before.get(target));
    const element = known ?? Object.assign(document.createElement("button"), { type: "button", tabIndex: -1 });
    if (!known) {
      element.className = `go-fish-${name}`;
      element.dataset.target = target;
    }
    draw(element, item);
    return element;
  });
  elements.forEach((element, index) => {
    if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null);
  });
  for (const gone of [...list.children].slice(elements.length)) gone.remove();
}

/**
 * Replaces what is in `element` if it is to show something else.
 * @param {HTMLElement} element
 * @param {Node[]} pieces
 * @param {string} key
 */
function fill(element, pieces, key) {
  if (element.dataset.shows === key) return;
  element.dataset.shows = key;
  element.replaceChildren(...pieces);
}

/**
 * A card face up; without a suit only its rank is known.
 * @param {string} card
 * @param {boolean} [isNew]
 */
function face(card, isNew = false) {
  const rank = rankOf(card), suit = card.slice(rank.length), element = piece("card");
  element.dataset.red = String("♥♦".includes(suit));
  if (isNew) element.dataset.isNew = "true";
  const corner = piece("corner", rank);
  // As text: phones would draw an emoji.
  const drawn = suit.trim() && `${suit}\uFE0E`;
  corner.append(piece("suit", drawn));
  element.append(corner, piece("pip", drawn));
  return element;
}

/**
 * @param {HTMLElement} element
 * @param {number} other
 * @param {State} state
 * @param {Who} who
 */
function drawPlayer(element, other, { view, hands }, who) {
  const count = view.cards[other], open = /** @type {string[] | undefined} */ (hands[other]?.cards);
  element.dataset.seat = String(other);
  element.dataset.turn = String(view.awaited.includes(other));
  element.dataset.out = String(view.out.some(({ seat }) => seat === other));
  if (!element.firstChild) element.append(piece("fan"), piece("name"), box("books"));
  const [fan, name, books] = /** @type {HTMLElement[]} */ ([...element.children]);
  fan.dataset.count = String(count);
  const backs = Math.min(count, FAN);
  fan.style.setProperty("--backs", String(backs));
  fill(fan, open ? open.map((card) => face(card)) : [...Array(backs).keys()].map((index) => {
    const back = piece("back");
    back.style.setProperty("--index", String(index));
    return back;
  }), open ? open.join(" ") : `${backs} backs`);
  name.textContent = who(other).name;
  name.dir = "auto";
  drawBooks(books, view, other);
}

/**
 * The ranks of a player's books.
 * @param {HTMLElement} element
 * @param {View} view
 * @param {number} seat
 */
function drawBooks(element, { books }, seat) {
  const ranks = books.filter((book) => book.seat === seat).map(({ rank }) => rank);
  const before = (element.dataset.shows ?? "").split(" ").filter(Boolean).length;
  fill(element, ranks.map((rank, index) => {
    const book = piece("book", rank);
    if (index >= before && element.dataset.shows !== undefined) book.dataset.isNew = "true";
    return book;
  }), ranks.join(" "));
}

/**
 * @param {HTMLElement} element
 * @param {number} count
 */
function drawPond(element, count) {
  const backs = Math.min(5, Math.ceil(count / 6));
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", text("go-fish.pond", { count }));
  element.dataset.count = String(count);
  fill(element, [...Array(backs).keys()].map((index) => {
    const back = piece("back");
    back.style.setProperty("--index", String(index));
    return back;
  }), String(backs));
}

/**
 * The newest question and its answer.
 * @param {View} view
 * @param {Who} who
 */
function sayLast({ last }, who) {
  if (!last) return "";
  const drew = last.lucky ? about("go-fish.lucky", who(last.seat)) : "";
  return [question(last, who), drew].filter(Boolean).join(" ");
}

/**
 * @param {View} view
 * @param {number} other
 * @param {string} name
 * @param {number} [rank] the chosen one, if this player may be asked for it
 */
function labelOf(view, other, name, rank) {
  const ranks = view.books.filter(({ seat }) => seat === other).map((book) => nameOfRank(book.rank));
  return [
    rank === undefined ? name : text("go-fish.ask", { name, ranks: nameOfRank(RANKS[rank]) }),
    text("go-fish.cards", { count: view.cards[other] }),
    ranks.length > 0 ? text("go-fish.laid", { list: ranks.join(", ") }) : "",
  ].filter(Boolean).join(", ");
}

/**
 * One target is in the tab order. A card that has left the hand gives the focus to another.
 * @param {HTMLElement} root
 * @param {HTMLElement | null} held had the focus before
 */
function keepFocus(root, held) {
  const next = /** @type {HTMLElement | null} */ (
    root.querySelector("[data-target][tabindex='0']") ?? root.querySelector(".go-fish-rank")
      ?? root.querySelector("[data-target]"));
  if (next) next.tabIndex = 0;
  if (held && !root.contains(held)) next?.focus({ preventScroll: true });
}

/**
 * Moves cards from one place to another: those that were given or drawn.
 * @param {HTMLElement} root
 * @param {import("./fold.js").GoFishEvent & {rank?: string, of?: number, count?: number}} event
 * @param {number | undefined} seat the viewer's
 */
function fly(root, { type, seat: to, of, rank, count = 1 }, seat) {
  if (type !== "card-drawn" && (type !== "cards-asked" || count === 0)) return;
  const placeOf = (/** @type {number | undefined} */ one) => root.querySelector(one === undefined ? ".go-fish-pond"
    : one === seat ? ".go-fish-hand" : `[data-target="${FIRST_PLAYER + one}"] .go-fish-fan`);
  const [start, end] = [placeOf(of), placeOf(to)].map((place) => place?.getBoundingClientRect());
  if (!start || !end) return;
  const ground = root.getBoundingClientRect();
  for (let index = 0; index < count; index++) {
    const card = rank === undefined ? piece("back") : face(rank + " ");
    card.classList.add("go-fish-flying");
    root.append(card);
    const at = (/** @type {DOMRect} */ { x, y, width, height }) => {
      const right = x - ground.x + (width - card.offsetWidth) / 2 + index * 14;
      return `translate(${right}px, ${y - ground.y + (height - card.offsetHeight) / 2}px)`;
    };
    card.animate([
      { transform: `${at(start)} scale(0.8)`, opacity: 0 }, { transform: `${at(start)} scale(1.1)`, opacity: 1, offset: 0.2 },
      { transform: `${at(end)} scale(1)`, opacity: 1, offset: 0.85 }, { transform: `${at(end)} scale(0.9)`, opacity: 0 },
    ], { duration: FLIGHT, delay: index * 90 + (type === "card-drawn" ? LATER : 0), easing: "ease-in-out", fill: "backwards" })
      .finished.then(() => card.remove(), () => card.remove());
  }
}
