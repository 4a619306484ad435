// @ts-check
import { gameOf } from "../games/list.js";
import { presentIn, seatedIn, stillIn } from "../games/room.js";
import { isolated, listed, refusal, text } from "../texts/texts.js";
import { confirmed } from "../views/confirm-dialog.js";
import { show, write } from "../views/element-changes.js";
import { nameOf } from "../views/names.js";
import { losesByRestart, maySit, plays } from "../views/status-line.js";
import { styled } from "../views/style-sheets.js";
import { element, oneAtATime } from "./elements.js";
import { errandIn } from "./errand.js";
import { roomDoor } from "./room-door.js";
import { runErrand } from "./room-errand.js";
import { askOnTheWayOut } from "./room-way-out.js";
import { waitingRoom } from "./room-waiting.js";

/** @typedef {(type: string, fields?: object) => Promise<boolean>} Command whether it worked; if not, it shows why */
/** @typedef {(at: Element, why: string) => void} Tell says at an element why it cannot be used at the moment */

/** @typedef {import("../games/room.js").Room} Room */
/** @typedef {import("../games/room.js").RoomState} RoomState */

/**
 * Wires all buttons of a room; the returned function shows those that apply to a state.
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Shell} shell
 * @param {{promise: () => object, tell: Tell, say: (sentence: string) => void, draw: () => void}} page `promise` has
 *   the fields for `sit`: a player who sits down takes part in the draw; `draw` draws the whole room
 */
export function wireActions(room, shell, { promise, tell, say, draw: redraw }) {
  /** @type {Command} */
  const command = async (type, fields = {}) => {
    const answer = await room.command(type, fields);
    if (answer.type === "error") shell.toast(refusal(answer, room.hubTime), "bad");
    return answer.type !== "error";
  };
  wireProposals(room, command, tell);
  for (const type of ["start", "here"]) element(type).addEventListener("click", () => command(type));
  const sitDown = () => command("sit", promise());
  const door = roomDoor(room, shell, sitDown, redraw);
  const errand = errandIn(location.search);
  // The player came for a quick game, now or before a reload.
  const isQuick = errand.isQuick || history.state?.isQuick === true;
  const bringQuick = () => {
    const part = shell.lazyPart(async (again) => {
      const { quickGame } = await import(`./room-quick.js${again}`);
      return () => quickGame(room, shell, { command, sitDown, say, draw: redraw });
    });
    part.use(() => redraw());
    return part;
  };
  let quick = isQuick ? bringQuick() : null;
  element("sit").addEventListener("click", door.sit);
  wireLeaving(room, command);
  const drawWayOut = askOnTheWayOut(room, shell.back);
  const host = shell.lazyPart(async () => {
    const styles = ["game-fields", "room-dialogs"].map((name) => styled(`/styles/${name}.css`));
    const [{ wireHost }] = await Promise.all([import("./room-host.js"), ...styles]);
    return () => wireHost(room, command);
  });
  const openSeats = (/** @type {{openSeats: () => void}} */ part) => part.openSeats();
  element("seats").addEventListener("click", () => host.use(openSeats));
  element("change").addEventListener("click", () => change());
  const change = (/** @type {string[]} */ names = []) => host.use(({ openChange }) => openChange(names));
  const waiting = waitingRoom(room, shell.toast, change);
  const drawButtons = wireGameButtons(room, command, tell);
  return {
    /** Sends the commands that the player came with, along with the first `hello`. */
    begin: () => runErrand(errand, room, shell, { door, promise }),
    /** @param {import("../games/room.js").HubMessage} message */
    hear(message) {
      door.hear(message);
      quick?.part?.hear(message);
    },
    /** Lets the host put a computer on a seat. */
    fill: (/** @type {number} */ seat) => host.use(({ openLevels }) => openLevels(seat)),
    draw(/** @type {RoomState} */ state, /** @type {boolean} */ isEndDue) {
      const isInvited = door.isShown(state);
      door.draw(state);
      waiting.draw(state, isInvited);
      // A guest may have found it in the list.
      if (state.room.visibility === "seeking" && state.room.status === "waiting") quick ??= bringQuick();
      quick?.part?.draw();
      draw(state, isEndDue, isInvited || door.isSeating);
      host.part?.draw();
      drawButtons(state);
      drawWayOut(state);
    },
  };
}

/**
 * What players propose to one another, and how they answer.
 * @param {import("./room-session.js").RoomSession} session
 * @param {Command} command
 * @param {Tell} tell
 */
function wireProposals(session, command, tell) {
  const mayLose = () => confirmed(element("ask-dialog"), text("proposal.restart.question"), text("room.restart"));
  element("restart").addEventListener("click", oneAtATime(async () => {
    const why = session.state.room.proposal ? text("proposal.is-asked") : "";
    tell(element("restart"), why);
    if (!why && (!losesByRestart(session.state) || await mayLose())) await command("propose", { what: "restart" });
  }));
  const again = oneAtATime(() => command("propose", { what: "rematch" }));
  for (const id of ["again", "play-again"]) {
    element(id).addEventListener("click", () => {
      if (element(id).getAttribute("aria-disabled") !== "true") again();
    });
  }
  const answer = (/** @type {boolean} */ agrees) => {
    const { proposal } = session.state.room;
    if (proposal) command("answer", { agrees, to: proposal.v });
  };
  element("proposal-yes").addEventListener("click", () => answer(true));
  for (const id of ["proposal-no", "end-no"]) element(id).addEventListener("click", () => answer(false));
}

/**
 * The commands of a game besides moves.
 * @param {import("./room-session.js").RoomSession} session
 * @param {Command} command
 * @param {Tell} tell
 */
function wireGameButtons(session, command, tell) {
  const root = element("game-buttons");
  let shown = "";
  return (/** @type {RoomState} */ { room, view, you }) => {
    const all = gameOf(room.game).buttons;
    const isPlaying = plays(session.state) && Boolean(view);
    const offered = isPlaying ? all : [];
    const types = offered.map(({ type }) => type).join();
    if (types !== shown) lay(offered);
    shown = types;
    // A button that cannot be used keeps its place and focus: nothing jumps while cards turn.
    offered.forEach((button, index) => {
      const isResting = button.whyNot(view, Number(you.seat)) !== "";
      root.children[index].setAttribute("aria-disabled", String(isResting));
      root.children[index].classList.toggle("resting", isResting);
    });
  };

  function lay(/** @type {import("../games/list.js").Game["buttons"]} */ offered) {
    const hadFocus = root.contains(document.activeElement);
    root.replaceChildren(...offered.map(({ type, label, question, whyNot }) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text(label);
      button.addEventListener("click", async () => {
        const { view, you } = session.state, why = text(whyNot(view, Number(you.seat)));
        tell(button, why);
        if (why) return;
        if (!question || await confirmed(element("ask-dialog"), text(question), text(label))) command(type);
      });
      return button;
    }));
    // The focused button may be gone: the keyboard continues at the cards.
    if (hadFocus) element("board").querySelector("[tabindex='0']")?.focus();
  }
}

/**
 * @param {RoomState} state
 * @param {boolean} isEndDue whether the end of a game is shown, or is about to be
 * @param {boolean} hasOwnWay whether there is another way to a seat than its button
 */
function draw(state, isEndDue, hasOwnWay) {
  const { room, you, view } = state;
  const isOpen = room.status !== "closed", isRunning = room.status === "running" || room.status === "dealing";
  const isSeated = you.seat !== undefined, mayStart = isOpen && you.isHost && !isRunning;
  show(element("sit"), maySit(state) && !hasOwnWay);
  write(element("sit"), text(room.status === "waiting" ? "room.sit" : "room.sit-next"));
  const isEnough = seatedIn(room).length >= gameOf(room.game).seats[0];
  show(element("start"), mayStart && room.status === "waiting" && isEnough);
  show(element("restart"), plays(state));
  element("restart").setAttribute("aria-disabled", String(room.proposal !== undefined));
  element("restart").classList.toggle("resting", room.proposal !== undefined);
  show(element("change"), mayStart && room.status !== "waiting");
  show(element("seats"), isOpen && you.isHost);
  show(element("results"), !isRunning && room.status !== "waiting" && room.results !== undefined && !isEndDue);
  show(element("here"), isRunning && isSeated && Boolean(view?.away?.includes(Number(you.seat))));
  show(element("leave"), isSeated && isOpen);
  // Before the first game it is at the table itself.
  show(element("share"), isOpen && room.status !== "waiting");
  show(element("barred"), Boolean(room.banned?.includes(you.player ?? "")));
  // One action stands out at a time. With no one else here, that is to invite others.
  element("start").classList.toggle("primary", presentIn(state).length > 1);
  element("sit").classList.toggle("plain", isRunning);
  element("sit").classList.toggle("primary", !isRunning && !you.isHost);
}

function wireLeaving(/** @type {import("./room-session.js").RoomSession} */ session, /** @type {Command} */ command) {
  const dialog = element("leave-dialog");
  dialog.addEventListener("close", () => { if (dialog.returnValue === "leave") command("leave"); });
  element("leave").addEventListener("click", () => {
    const { room, you } = session.state;
    const plays = room.status === "running" && room.players?.some(({ player }) => player === you.player);
    if (!plays) return command("leave");
    dialog.returnValue = "";
    dialog.showModal();
  });
}

/**
 * Tells those who still play or watch that a player has left. If that ended the game, the end says it.
 * @param {import("../games/room.js").HubMessage} message
 * @param {RoomState} state
 * @param {import("./elements.js").Toast} toast also reads it aloud
 * @returns {boolean} whether it has told
 */
export function tellLeaving(message, state, toast) {
  if (message.type !== "player-left" && message.type !== "seat-freed") return false;
  const { room: { players = [], status }, view, you } = state, isOn = message.type === "player-left";
  // Between games, the players of the last one are expected to return.
  const isFellow = status === "ended" && message.reason === "left"
    && players.some(({ player }) => player === message.player);
  // If players go out of a game, it ends once only one is left.
  const isOver = view?.out !== undefined && stillIn(view).length < 2;
  if (message.player === you.player || (isOn ? isOver : !isFellow)) return false;
  const left = text("event.player-left", { name: nameOf(state, message.player) });
  const rest = players.filter(({ seat }) => isOn && (!view || stillIn(view).includes(seat)))
    .map(({ player }) => (player === you.player ? text("player.you") : isolated(nameOf(state, player))));
  toast(rest.length > 0 ? `${left} ${text("event.plays-on", { names: listed(rest) })}` : left);
  return true;
}

/**
 * Tells the viewer what the host did to them.
 * @param {import("../games/room.js").HubMessage} message
 * @param {RoomState} state
 * @param {import("./elements.js").Toast} toast
 */
export function tellRole(message, { you }, toast) {
  const { type } = message;
  if (type !== "player-banned" && type !== "player-muted" && type !== "host-changed") return;
  if (message.player !== you.player) return;
  if (type === "host-changed") return toast(text("host.changed.you"));
  const [on, off] = type === "player-banned"
    ? ["error.banned", "host.unbanned.you"] : ["error.muted", "host.unmuted.you"];
  toast(text(message.on ? on : off), message.on ? "bad" : "");
}
