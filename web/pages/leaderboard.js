// @ts-check
import { games } from "../games/list.js";
import { modesOf } from "../games/modes.js";
import { identity } from "../store/identity.js";
import { lastPlayed } from "../store/last-played.js";
import { send } from "../store/requests.js";
import { text } from "../texts/texts.js";
import { ranksOf, resultList } from "../views/result-list.js";
import { element } from "./elements.js";

/** @typedef {import("../net/messages.js").HttpLeaderboard} Answer */

/** Results a page. */
const PAGE = 20;
/** How many of the newest results are searched for boards that the form does not know. */
const LOOK_BACK = 100;
/** The last rank that the hub counts to. */
const LAST_RANK = 1_000;

/** The best results for each game and board, of today, this week or ever. */
export function leaderboardPage() {
  const board = new Leaderboard();
  const enter = () => board.enter();
  return { root: element("leaderboard"), title: text("leaderboard.title"), enter, leave() {}, renew: enter };
}

class Leaderboard {
  #form = /** @type {HTMLFormElement} */ (element("leaderboard-form"));
  #draw = resultList(element("results-list"));
  #drawOwn = resultList(element("own-result"));
  /** @type {Answer["results"]} */
  #results = [];
  /** @type {Answer["own"]} */
  #own = undefined;
  #next = /** @type {string | undefined} */ (undefined);
  /** Numbers the questions: only the newest one's answer is shown. */
  #asked = 0;
  /** The last game played when the page was opened: choices here hold until another game is played. */
  #opened = "";

  constructor() {
    offer(element("leaderboard-game"), "game", Object.entries(games).map(([name, { title }]) =>
      ({ name, label: text(title) })));
    this.#form.addEventListener("change", ({ target }) => {
      if (/** @type {HTMLInputElement} */ (target).name === "game") this.#drawGame();
      this.#load();
    });
    this.#form.addEventListener("submit", (event) => event.preventDefault());
    element("more-results").addEventListener("click", () => this.#more());
    this.#drawGame();
  }

  enter() {
    const last = lastPlayed(), opened = JSON.stringify(last);
    if (last && opened !== this.#opened && games[last.game]) {
      this.#opened = opened;
      this.#choose("game", last.game);
      this.#drawGame([last.mode]);
      this.#choose("mode", last.mode);
      this.#choose("against", last.against);
    }
    this.#load();
  }

  /** Loads the first page of what is chosen. */
  async #load() {
    // The form knows most boards; the others are found among the newest results.
    this.#findModes();
    const asked = ++this.#asked;
    const answer = await this.#ask();
    if (asked !== this.#asked) return;
    this.#results = answer?.results ?? [];
    this.#own = answer?.own;
    this.#next = answer?.next;
    this.#show(Boolean(answer));
  }

  async #more() {
    const asked = ++this.#asked, before = this.#results.length;
    const answer = await this.#ask(this.#next);
    if (asked !== this.#asked || !answer) return;
    this.#results = this.#isRanked ? [...this.#results, ...answer.results] : [...answer.results, ...this.#results];
    this.#next = answer.next;
    this.#show(true);
    const first = element("results-list").children[this.#isRanked ? before : 0];
    if (first instanceof HTMLElement) {
      first.tabIndex = -1;
      first.focus();
    }
  }

  get #choice() {
    const chosen = new FormData(this.#form), value = (/** @type {string} */ name) => String(chosen.get(name) ?? "");
    const [game, mode, against] = ["game", "mode", "against"].map(value);
    return { game, mode, against, order: value("order"), span: value("span") };
  }

  get #isRanked() { return this.#choice.order === "best"; }

  #choose(/** @type {string} */ name, /** @type {string} */ value) {
    for (const one of inputs(this.#form, name)) one.checked = one.value === value;
  }

  /**
   * A page of results; null if the hub does not answer.
   * @returns {Promise<Answer | null>}
   */
  async #ask(after = "") {
    const query = new URLSearchParams({ ...this.#choice, limit: String(PAGE) });
    if (after) query.set("after", after);
    const ask = (/** @type {string | undefined} */ token) => send("GET", `/api/leaderboard?${query}`, { token });
    // For a player that the hub no longer knows, ask without a token.
    return ask(identity()?.token).catch((error) => (error.cause?.code === "unknown-token" ? ask(undefined) : null))
      .catch(() => null);
  }

  #show(/** @type {boolean} */ isAnswered) {
    const you = identity()?.id, isRanked = this.#isRanked, own = isRanked ? this.#own : undefined;
    this.#draw(this.#results, isRanked ? ranksOf(this.#results) : null, you);
    const isFarther = own !== undefined && !this.#results.some(({ player }) => player === you);
    element("own-section").hidden = !isFarther;
    this.#drawOwn(isFarther ? [own.result] : [], [String(own?.rank ?? `${LAST_RANK}+`)], you);
    const empty = element("no-results");
    empty.hidden = this.#results.length > 0;
    empty.textContent = text(isAnswered ? "leaderboard.none" : "line.no-hub");
    const more = element("more-results");
    more.hidden = this.#next === undefined;
    more.textContent = text(isRanked ? "leaderboard.more" : "leaderboard.earlier");
    // The newest stand at the bottom, so earlier ones appear above.
    element("results-list")[isRanked ? "after" : "before"](more);
  }

  /** The choices for the chosen game, including boards that were `seen`. */
  #drawGame(/** @type {string[]} */ seen = []) {
    const { game } = this.#choice, place = element("leaderboard-mode");
    place.querySelector("div").replaceChildren();
    this.#drawModes(seen);
    // No one plays a game for two alone.
    const canBeAlone = games[game].seats[0] === 1;
    for (const one of inputs(this.#form, "against")) if (one.value === "alone") one.disabled = !canBeAlone;
    if (!this.#choice.against) this.#choose("against", "people");
  }

  /** Adds the missing boards. None is removed while someone looks through them. */
  #drawModes(/** @type {string[]} */ seen) {
    const { game, mode } = this.#choice, place = element("leaderboard-mode");
    const there = inputs(this.#form, "mode").map(({ value }) => value);
    offer(place, "mode", modesOf(game, seen).filter(({ name }) => !there.includes(name)));
    const all = inputs(this.#form, "mode");
    if (!mode && all.length > 0) all[0].checked = true;
    place.hidden = all.length < 2;
  }

  async #findModes() {
    const { game } = this.#choice, query = new URLSearchParams({ game, limit: String(LOOK_BACK) });
    const answer = /** @type {Answer | null} */ (await send("GET", `/api/leaderboard?${query}`).catch(() => null));
    if (answer && game === this.#choice.game) this.#drawModes(answer.results.map(({ mode }) => mode));
  }
}

/** @returns {HTMLInputElement[]} */
const inputs = (/** @type {HTMLFormElement} */ form, /** @type {string} */ name) =>
  [.../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll(`[name="${name}"]`))];

/**
 * Adds tabs to `place`, of which one is chosen.
 * @param {HTMLElement} place
 * @param {string} name
 * @param {{name: string, label: string}[]} offered
 */
function offer(place, name, offered) {
  const hadNone = !place.querySelector("input");
  place.querySelector("div")?.append(...offered.map(({ name: value, label }, index) => {
    const tab = document.createElement("label"), input = document.createElement("input");
    Object.assign(input, { type: "radio", name, value, checked: hadNone && index === 0 });
    tab.append(input, Object.assign(document.createElement("span"), { textContent: label }));
    return tab;
  }));
}
