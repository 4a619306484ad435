// @ts-check

/** What stands around the board: players, whose turn it is, the end, and what one can do. */

/** @param {any} state @param {string} player */
export function nameOf(state, player) { return state.names[player] ?? "someone"; }

/** The name of whoever sits, or sat when the game began, on `seat`. */
export function nameOfSeat(state, seat) {
  const player = state.room.players?.find((one) => one.seat === seat)?.player
    ?? state.room.seats.find((one) => one.seat === seat)?.player;
  return player === undefined ? "someone" : player === state.you.player ? "You" : nameOf(state, player);
}

/** The players in `root`. @param {HTMLElement} root @param {HTMLTemplateElement} template */
export function playerList(root, template) {
  return function draw(state) {
    const { room, view } = state;
    const isPlaying = room.status === "running" || room.status === "ended";
    const inGame = isPlaying ? room.players : [];
    const others = room.seats.filter(({ player, seat }) => player && !inGame.some((one) => one.seat === seat && one.player === player));
    root.replaceChildren(...[...inGame, ...others].map(({ seat, player }) => {
      const element = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
      const plays = inGame.some((one) => one.player === player);
      element.dataset.seat = String(seat);
      element.classList.toggle("turn", room.status === "running" && plays && view?.turn === seat);
      element.classList.toggle("you", player === state.you.player);
      element.classList.toggle("online", isHere(state, player));
      element.classList.toggle("gone", plays && Boolean(view?.left.includes(seat)));
      put(element, ".name", player === state.you.player ? `${nameOf(state, player)} (you)` : nameOf(state, player));
      put(element, ".tag", tag(state, seat, player, plays));
      put(element, ".score", plays && view ? String(view.scores[seat] ?? 0) : "");
      return element;
    }));
  };
}

/** Who looks at this page is here, whatever the last word on presence was. */
const isHere = ({ presence, you }, player) => player === you.player || presence.players.includes(player);

function tag(state, seat, player, plays) {
  const { room, view } = state;
  if (plays && view?.left.includes(seat)) return "left";
  if (plays && view?.away.includes(seat)) return "away";
  if (!isHere(state, player)) return "offline";
  if (!plays && room.status === "running") return "next game";
  return player === room.host ? "host" : "";
}

/** One line that says what is going on. */
export function situation(state) {
  const { room, view, you } = state;
  if (room.status === "closed") return "This room is closed.";
  if (room.status === "ended") return "The game is over.";
  if (room.status !== "running") {
    const count = room.seats.filter(({ player }) => player).length;
    if (count === 0) return "Take a seat to play.";
    if (you.isHost) return count === 1 ? "Start alone, or wait for others." : "Everyone is here? Start!";
    return "The host starts the game.";
  }
  if (view.revealUntil !== undefined) return "No pair…";
  const name = nameOfSeat(state, view.turn);
  if (view.away.includes(view.turn)) return `${name} ${name === "You" ? "are" : "is"} away.`;
  if (name === "You") return view.up.length ? "Now the second card." : "Your turn: turn a card.";
  return `${name} is to move.`;
}

/** The end in `root`: places by score, equal scores share one. */
export function ending(root, title, places) {
  return function draw(state) {
    const { room, you } = state;
    root.hidden = room.status !== "ended";
    if (root.hidden) return;
    const results = [...room.results].sort((a, b) => b.score - a.score);
    const best = results.filter(({ score }) => score === results[0].score);
    title.textContent = headline(state, results, best);
    places.replaceChildren(...results.map((result) => {
      const item = document.createElement("li");
      const place = 1 + results.filter(({ score }) => score > result.score).length;
      item.classList.toggle("you", result.player === you.player);
      item.dataset.place = String(place);
      for (const [name, content] of [
        ["medal", ["🥇", "🥈", "🥉"][place - 1] ?? String(place)],
        ["name", nameOf(state, result.player) + (result.left ? " (left)" : "")],
        ["detail", `${result.turns} turns`],
        ["score", `${result.score}`],
      ]) {
        const span = document.createElement("span");
        span.className = name;
        span.textContent = content;
        item.append(span);
      }
      return item;
    }));
  };
}

function headline({ you, room, names, view }, results, best) {
  if (room.reason !== "finished") return { left: "Everyone has left.", stalled: "Nobody found any more." }[room.reason] ?? "The game was ended.";
  if (results.length === 1) return `Done in ${results[0].turns} turns: ${rating(results[0].turns, view.pairs * 2)}.`;
  if (best.length > 1) return "A draw!";
  return best[0].player === you.player ? "You win!" : `${names[best[0].player] ?? "Someone"} wins!`;
}

/** For who plays alone, by turns and cards. */
function rating(turns, cards) {
  if (turns <= 0.75 * cards) return "excellent memory";
  if (turns <= cards) return "great memory";
  return turns < 1.5 * cards ? "good memory" : "all done";
}

function put(element, selector, content) { element.querySelector(selector).textContent = content; }
