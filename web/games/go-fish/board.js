// @ts-check
import { isStill } from "../../store/settings.js";
import { text } from "../../texts/texts.js";
import { fly } from "./flights.js";
import { askable, FIRST_PLAYER, rankOf } from "./fold.js";
import { cardWidth, columnsFor, groupsOf, isLow, spaceForHand, turned } from "./layout.js";
import { playerLabel, promptFor, rankLabel, sayLast } from "./words.js";

/**
 * @typedef {import("./fold.js").View} View
 * @typedef {import("../game.js").BoardState<View>} State
 * @typedef {import("./words.js").Who} Who
 */

/** The most backs that a fan shows, and how many cards of the pond one back stands for. */
const FAN = 8, PILE = 6;

/** @type {import("../game.js").BoardMaker<View>} */
export function board(root) {
  const around = box("around"), middle = box("middle"), own = box("own");
  const pond = box("pond"), said = box("said"), prompt = box("prompt"), hand = box("hand"), laid = box("books");
  pond.setAttribute("role", "img");
  middle.append(pond, said);
  own.append(prompt, hand, laid);
  prompt.setAttribute("role", "status");
  root.replaceChildren(around, middle, own);
  // A piece that has come to rest is not new, even if it is hidden and shown again.
  root.addEventListener("animationend", ({ target }) => {
    if (target instanceof HTMLElement) delete target.dataset.isNew;
  });
  let game = 0, held = /** @type {string[]} */ ([]);

  return function draw(state) {
    const { view, seat, hands, mayMove, space, event } = state;
    // With a single other player a rank asks at once, even if one was chosen while there were more.
    const chosen = askable(view, seat).length === 1 ? undefined : state.chosen;
    const who = state.who ?? ((/** @type {number} */ number) =>
      ({ name: text("go-fish.seat", { seat: number + 1 }), isYou: number === seat }));
    const focus = document.activeElement, hadFocus = root.contains(focus);
    const others = turned(view.seats, seat), isOpen = others.some((other) => hands[other]);
    root.dataset.open = String(isOpen);
    root.dataset.low = String(isLow(space));
    const columns = columnsFor(others.length, { isWatched: seat === undefined, isOpen, width: space.width });
    root.style.setProperty("--columns", String(columns));
    drawButtons(around, "player", others.map((other) => [FIRST_PLAYER + other, other]), (element, other) =>
      drawPlayer(element, other, { ...state, chosen }, who));

    pond.setAttribute("aria-label", text("go-fish.pond", { count: view.pond }));
    pond.dataset.count = String(view.pond);
    const piles = Math.ceil(view.pond / PILE);
    fill(pond, String(piles), () => backs(piles));
    said.textContent = sayLast(view, who);
    // Where there is little space, it stands in place of what happened last.
    const place = isLow(space) ? middle : own;
    if (prompt.parentElement !== place) place.insertBefore(prompt, place === middle ? said : hand);
    const asks = promptFor(mayMove, chosen);
    // Screen readers speak what is written here, even if it is the same.
    if (prompt.textContent !== asks) prompt.textContent = asks;

    own.hidden = seat === undefined;
    if (seat !== undefined) {
      own.dataset.seat = String(seat);
      drawBooks(laid, view, seat);
    }
    const cards = /** @type {string[]} */ (hands[seat ?? -1]?.cards ?? []), isSame = state.game === game;
    const groups = groupsOf(cards), rows = place === own ? [around, prompt, laid] : [around, laid];
    const taken = rows.reduce((sum, one) => sum + one.offsetHeight, 0);
    const width = cardWidth(groups.map(([, group]) => group.length), spaceForHand(space, around.offsetWidth, taken));
    hand.style.setProperty("--card", `${width}px`);
    const isNew = (/** @type {string} */ card) => isSame && !held.includes(card);
    drawButtons(hand, "rank", groups, (element, group, target) =>
      drawRank(element, group, target, { ...state, chosen }, who, isNew));
    keepFocus(root, hadFocus ? focus : null);
    if (event && isSame && !isStill()) fly(root, /** @type {any} */ (event), seat, flying);
    // The hub sends a hand after the events that change it.
    if (!isSame || hands[seat ?? -1]) held = cards;
    game = state.game;
  };
}

/**
 * @param {HTMLElement} element
 * @param {number} other
 * @param {State} state
 * @param {Who} who
 */
function drawPlayer(element, other, { view, seat, hands, mayMove, asked, chosen }, who) {
  const count = view.cards[other], open = /** @type {string[] | undefined} */ (hands[other]?.cards);
  const mayAsk = mayMove && chosen !== undefined && askable(view, seat).includes(other), { name } = who(other);
  element.dataset.seat = String(other);
  element.dataset.turn = String(view.awaited.includes(other));
  element.dataset.out = String(view.out.some((one) => one.seat === other));
  element.dataset.asked = String(asked.has(FIRST_PLAYER + other));
  element.setAttribute("aria-disabled", String(!mayAsk));
  element.setAttribute("aria-label", playerLabel(view, other, name, mayAsk ? chosen : undefined));
  if (!element.firstChild) element.append(piece("fan"), piece("name"), box("books"));
  const [fan, called, books] = /** @type {HTMLElement[]} */ ([...element.children]);
  const shown = open?.length ?? Math.min(count, FAN);
  fan.dataset.count = String(count);
  fan.style.setProperty("--shown", String(shown));
  fill(fan, open?.join(" ") ?? String(shown), () => open?.map((card) => face(card)) ?? backs(shown));
  called.textContent = name;
  called.dir = "auto";
  drawBooks(books, view, other);
}

/**
 * @param {HTMLElement} element
 * @param {string[]} group
 * @param {number} target
 * @param {State} state
 * @param {Who} who
 * @param {(card: string) => boolean} isNew
 */
function drawRank(element, group, target, { view, seat, mayMove, asked, chosen }, who, isNew) {
  const others = askable(view, seat), only = others.length === 1 ? who(others[0]) : null;
  fill(element, group.join(" "), () => group.map((card) => face(card, isNew(card))));
  element.dataset.asked = String(asked.has(target));
  element.setAttribute("aria-disabled", String(!mayMove));
  // With a single other player a press asks at once.
  if (only) element.removeAttribute("aria-pressed");
  else element.setAttribute("aria-pressed", String(chosen === target));
  element.setAttribute("aria-label", rankLabel(group, target, only && mayMove ? only.name : null));
}

/**
 * The ranks of a player's books.
 * @param {HTMLElement} element
 * @param {View} view
 * @param {number} seat
 */
function drawBooks(element, { books }, seat) {
  const ranks = books.filter((book) => book.seat === seat).map(({ rank }) => rank), before = element.childElementCount;
  const isFirst = element.dataset.shows === undefined;
  fill(element, ranks.join(" "), () => ranks.map((rank, index) => {
    const book = piece("book", rank);
    if (index >= before && !isFirst) book.dataset.isNew = "true";
    return book;
  }));
}

/**
 * One target is in the tab order. Cards that have left the hand give the focus to others.
 * @param {HTMLElement} root
 * @param {Element | null} focus what had it before
 */
function keepFocus(root, focus) {
  const places = ["[data-target][tabindex='0']", ".go-fish-rank", "[data-target]"];
  const next = places.map((place) => root.querySelector(place)).find(Boolean);
  if (!(next instanceof HTMLElement)) return;
  next.tabIndex = 0;
  if (focus && document.activeElement !== focus) next.focus({ preventScroll: true });
}

/** @param {string} name */
function box(name) {
  const element = document.createElement("div");
  element.className = `go-fish-${name}`;
  return element;
}

/**
 * A small piece, with words.
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
 * A card face up; without a suit only its rank is known.
 * @param {string} card
 * @param {boolean} [isNew]
 */
function face(card, isNew = false) {
  const rank = rankOf(card), suit = card.slice(rank.length), element = piece("card"), corner = piece("corner", rank);
  // As text: phones would draw an emoji.
  const drawn = suit.trim() && `${suit}\uFE0E`;
  element.dataset.red = String("♥♦".includes(suit));
  if (isNew) element.dataset.isNew = "true";
  corner.append(piece("suit", drawn));
  element.append(corner, piece("pip", drawn));
  return element;
}

/** A card of which at most the rank is known. */
const flying = (/** @type {string | undefined} */ rank) => (rank ? face(`${rank} `) : piece("back"));

/**
 * So many cards face down.
 * @param {number} count
 */
const backs = (count) => Array.from({ length: count }, (_, index) => {
  const back = piece("back");
  back.style.setProperty("--index", String(index));
  return back;
});

/**
 * Replaces what is in `element` if it is to show something else.
 * @param {HTMLElement} element
 * @param {string} key
 * @param {() => Node[]} pieces
 */
function fill(element, key, pieces) {
  if (element.dataset.shows === key) return;
  element.replaceChildren(...pieces());
  element.dataset.shows = key;
}

/**
 * Makes `list` contain a button for each item; a button stays as long as its target does. It stays in place, too: moved
 * in the document it would lose the focus, and its animations would start again.
 * @template Item
 * @param {HTMLElement} list
 * @param {string} name
 * @param {[number, Item][]} items each with its target
 * @param {(element: HTMLElement, item: Item, target: number) => void} draw
 */
function drawButtons(list, name, items, draw) {
  const before = /** @type {HTMLElement[]} */ ([...list.children]);
  const elements = items.map(([target, item]) => {
    const known = before.find((one) => one.dataset.target === String(target));
    const element = known ?? Object.assign(document.createElement("button"), { type: "button", tabIndex: -1 });
    element.className = `go-fish-${name}`;
    element.dataset.target = String(target);
    draw(element, item, target);
    return element;
  });
  for (const gone of before.filter((one) => !elements.includes(one))) gone.remove();
  elements.forEach((element, index) => {
    if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null);
  });
}
