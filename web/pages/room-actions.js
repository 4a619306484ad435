// @ts-check
import { games } from "../games/list.js";
import { takeName } from "../store/account.js";
import { identity, proposeName } from "../store/identity.js";
import { refusal, text } from "../texts/texts.js";
import { confirmed } from "../views/confirm-dialog.js";
import { show } from "../views/element-changes.js";
import { plays } from "../views/status-line.js";
import { styled } from "../views/style-sheets.js";
import { askCode } from "./code-dialog.js";
import { element, input } from "./elements.js";

/** @typedef {(type: string, fields?: object) => void} Command */
/** @typedef {(at: Element, why: string) => void} Tell says at an element why it can do nothing just now */

/** @typedef {import("../games/room.js").Room} Room */
/** @typedef {import("../games/room.js").RoomState} RoomState */

/**
 * Wires all buttons of a room; the function it returns shows those that fit a state.
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Shell} shell
 * @param {() => object} promise what to say with `sit`: whoever sits down takes part in the draw
 * @param {Tell} tell
 */
export function wireActions(room, shell, promise, tell) {
  /** Sends a command, and says why where it is refused. */
  const command = async (/** @type {string} */ type, fields = {}) => {
    const answer = await room.command(type, fields);
    if (answer.type === "error") shell.toast(refusal(answer), "bad");
  };
  for (const type of ["start", "again", "here"]) element(type).addEventListener("click", () => command(type));
  element("sit").addEventListener("click", () => command("sit", promise()));
  wireName(room, shell);
  wireLeaving(room, command);
  const host = shell.lazyPart(async () => {
    const styles = ["game-fields", "room-dialogs"].map((name) => styled(`/styles/${name}.css`));
    const [{ wireHost }] = await Promise.all([import("./room-host.js"), ...styles]);
    return () => wireHost(room, command);
  });
  const openSeats = (/** @type {{openSeats: () => void}} */ part) => part.openSeats();
  const openChange = (/** @type {{openChange: () => void}} */ part) => part.openChange();
  element("seats").addEventListener("click", () => host.use(openSeats));
  element("change").addEventListener("click", () => host.use(openChange));
  const drawButtons = wireGameButtons(room, command, tell);
  return (/** @type {RoomState} */ state, /** @type {boolean} */ isEndShown) => {
    draw(state, isEndShown);
    host.part?.draw();
    drawButtons(state);
  };
}

/**
 * What a game lets its players ask for besides moving.
 * @param {import("./room-session.js").RoomSession} session
 * @param {Command} command
 * @param {Tell} tell
 */
function wireGameButtons(session, command, tell) {
  const root = element("game-buttons");
  let shown = "";
  return (/** @type {RoomState} */ { room, view, you }) => {
    const all = games[room.game]?.buttons ?? [];
    const isPlaying = plays(session.state) && Boolean(view);
    const offered = isPlaying ? all : [];
    const types = offered.map(({ type }) => type).join();
    if (types !== shown) lay(offered);
    shown = types;
    // What cannot be used just now keeps its place, and the keyboard: nothing jumps while cards are turned.
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
    // The button that had the focus may be gone: the keyboard goes on with the cards.
    if (hadFocus) element("board").querySelector("[tabindex='0']")?.focus();
  }
}

function draw(/** @type {RoomState} */ { room, you, view }, /** @type {boolean} */ isEndShown) {
  const isOpen = room.status !== "closed", isRunning = room.status === "running" || room.status === "dealing";
  const isSeated = you.seat !== undefined, mayStart = isOpen && you.isHost && !isRunning;
  const seated = room.seats.filter(({ player }) => player).length;
  const isBanned = Boolean(room.banned?.includes(you.player ?? ""));
  const maySit = isOpen && !isSeated && !isBanned && seated < room.seats.length;
  show(element("name-form"), maySit && !you.player);
  show(element("sit"), maySit && Boolean(you.player));
  const isEnough = seated >= (games[room.game]?.seats[0] ?? 1);
  show(element("start"), mayStart && room.status === "waiting" && isEnough);
  show(element("again"), mayStart && room.status === "ended" && isEnough);
  show(element("change"), mayStart);
  show(element("seats"), isOpen && you.isHost);
  show(element("results"), !isRunning && room.status !== "waiting" && room.results !== undefined && !isEndShown);
  show(element("here"), isRunning && isSeated && Boolean(view?.away?.includes(Number(you.seat))));
  show(element("leave"), isSeated && isOpen);
  show(element("share"), isOpen);
  show(element("barred"), isBanned);
  // One thing to do stands out at a time.
  element("sit").classList.toggle("primary", !isRunning);
}

/**
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Shell} shell
 */
function wireName(room, shell) {
  const form = element("name-form");
  input(form, "name").value = identity()?.name ?? proposeName();
  form.addEventListener("submit", async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const before = identity();
    try {
      const { token } = await takeName(input(form, "name").value);
      // The room follows whoever is somebody else; its hello of before was refused.
      if (before?.token === token) room.greet(token);
    } catch (error) { shell.toast(error.message, "bad"); }
  });
  element("name-form-code").addEventListener("click", () => askCode(shell.toast));
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
 * Tells whoever looks what the host did to them.
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
