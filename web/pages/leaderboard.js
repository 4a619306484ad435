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

/** Results that come at a time. */
const PAGE = 20;
/** The newest results in which boards are looked for that the form does not know. */
const LOOK_BACK = 100;
/** The hub tells a rank up to here. */
const LAST_RANK = 1_000;

/** Who has played what and how well: of each game and board, of today, this week or ever. */
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
  /** Only the answer to the newest question is shown. */
  #asked = 0;
  /** What was played last when the page was opened: what is chosen here stays until something else is played. */
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

  /** What is asked for: the first page of it. */
  async #load() {
    // Most are the results of boards that the form knows; the others are found among the newest.
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
   * A page of results; null where the hub does not answer.
   * @returns {Promise<Answer | null>}
   */
  async #ask(after = "") {
    const query = new URLSearchParams({ ...this.#choice, limit: String(PAGE) });
    if (after) query.set("after", after);
    const ask = (/** @type {string | undefined} */ token) => send("GET", `/api/leaderboard?${query}`, { token });
    // Whom the hub does not know any more it tells all the same what it tells anybody.
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
    // The newest stand last: earlier ones come in above.
    element("results-list")[isRanked ? "after" : "before"](more);
  }

  /** What there is to choose of the game that is chosen; boards that were `seen` are among it. */
  #drawGame(/** @type {string[]} */ seen = []) {
    const { game } = this.#choice, place = element("leaderboard-mode");
    place.querySelector("div").replaceChildren();
    this.#drawModes(seen);
    // Nobody is alone in a game of two.
    const canBeAlone = games[game].seats[0] === 1;
    for (const one of inputs(this.#form, "against")) if (one.value === "alone") one.disabled = !canBeAlone;
    if (!this.#choice.against) this.#choose("against", "people");
  }

  /** Adds the boards that are not offered yet: none is taken away while somebody looks through them. */
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
 * Adds tabs to those of `place`, one of which is chosen.
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
