// @ts-check
import { modesOf } from "../games/modes.js";
import { games } from "../games/list.js";
import { text } from "../texts/texts.js";
import { resultList } from "../views/result-list.js";
import { element, input } from "./elements.js";

/** Results that come at a time. */
const PAGE = 20;
/** The newest results in which boards are looked for that the form does not know. */
const LOOK_BACK = 100;

/** Who has played what and how well: of each game and board, of today, this week or ever. */
export function leaderboardPage() {
  const board = new Leaderboard();
  return { root: element("leaderboard"), title: text("leaderboard.title"), enter: () => board.load(), leave() {} };
}

class Leaderboard {
  #form = element("leaderboard-form");
  #draw = resultList(element("results-list"));
  /** @type {import("../net/messages.js").HttpLeaderboard["results"]} */
  #results = [];
  #next = /** @type {string | undefined} */ (undefined);
  /** Only the answer to the newest question is shown. */
  #asked = 0;

  constructor() {
    const names = Object.entries(games).map(([value, { title }]) => new Option(text(title), value));
    input(this.#form, "game").replaceChildren(...names);
    this.#form.addEventListener("change", (/** @type {Event} */ { target }) => {
      if (/** @type {HTMLInputElement} */ (target).name === "game") this.#drawModes();
      this.load();
    });
    this.#form.addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
    element("more-results").addEventListener("click", () => this.#more());
    this.#drawModes();
  }

  /** What is asked for: the first page of it. */
  async load() {
    // Most are the results of boards that the form knows; the others are found among the newest.
    this.#findModes();
    const asked = ++this.#asked;
    const answer = await this.#ask();
    if (asked !== this.#asked) return;
    this.#results = answer?.results ?? [];
    this.#next = answer?.next;
    this.#show(Boolean(answer));
  }

  async #more() {
    const asked = ++this.#asked, before = this.#results.length;
    const answer = await this.#ask(this.#next);
    if (asked !== this.#asked || !answer) return;
    const isRecent = this.#choice.order === "recent";
    this.#results = isRecent ? [...answer.results, ...this.#results] : [...this.#results, ...answer.results];
    this.#next = answer.next;
    this.#show(true);
    const first = element("results-list").children[isRecent ? 0 : before];
    if (first instanceof HTMLElement) {
      first.tabIndex = -1;
      first.focus();
    }
  }

  get #choice() {
    const value = (/** @type {string} */ name) => input(this.#form, name).value;
    return { game: value("game"), mode: value("mode"), order: value("order"), span: value("span") };
  }

  /**
   * A page of results; null where the hub does not answer.
   * @returns {Promise<import("../net/messages.js").HttpLeaderboard | null>}
   */
  async #ask(after = "") {
    const { game, mode, order, span } = this.#choice;
    const query = new URLSearchParams({ game, mode, order, span, limit: String(PAGE) });
    if (after) query.set("after", after);
    try {
      const answer = await fetch(`/api/leaderboard?${query}`);
      if (!answer.ok) return null;
      return await answer.json();
    } catch { return null; }
  }

  #show(/** @type {boolean} */ isAnswered) {
    this.#draw(this.#results, this.#choice.order === "best");
    const empty = element("no-results");
    empty.hidden = this.#results.length > 0;
    empty.textContent = text(isAnswered ? "leaderboard.none" : "line.no-hub");
    const more = element("more-results"), isRecent = this.#choice.order === "recent";
    more.hidden = this.#next === undefined;
    more.textContent = text(isRecent ? "leaderboard.earlier" : "leaderboard.more");
    // The newest stand last: earlier ones come in above.
    element("results-list")[isRecent ? "before" : "after"](more);
  }

  #drawModes(/** @type {string[]} */ seen = []) {
    const { game, mode } = this.#choice, field = input(this.#form, "mode");
    const modes = modesOf(game, seen);
    const offered = [...field.querySelectorAll("option")].map(({ value }) => value).join();
    // Nobody's list is taken away while they look through it.
    if (modes.map(({ name }) => name).join() === offered) return;
    field.replaceChildren(...modes.map(({ name, label }) => new Option(label, name)));
    field.value = modes.some(({ name }) => name === mode) ? mode : modes[0].name;
    element("leaderboard-mode").hidden = modes.length < 2;
  }

  async #findModes() {
    const { game } = this.#choice;
    const query = new URLSearchParams({ game, limit: String(LOOK_BACK) });
    const answer = await fetch(`/api/leaderboard?${query}`).catch(() => null);
    if (!answer?.ok) return;
    const { results } = /** @type {import("../net/messages.js").HttpLeaderboard} */ (await answer.json());
    const seen = results.map(({ mode }) => mode);
    // What is chosen stays, though the newest results may have left it behind.
    if (game === this.#choice.game) this.#drawModes([...seen, this.#choice.mode]);
  }
}
