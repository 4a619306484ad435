// @ts-check
import { identity, proposeName, register } from "../identity.js";
import { games } from "../games/room.js";
import { refusal, text } from "../texts.js";
import { ask } from "../views/ask.js";
import { plays } from "../views/situation.js";
import { show } from "../views/sparing.js";
import { element, input, styled } from "./elements.js";
import { onDemand } from "./on-demand.js";

/**
 * Wires all buttons of a room; the function it returns shows those that fit a state.
 * @param {{state: any, line: import("../connection.js").RoomConnection, toast: (text: string, kind?: string) => void,
 *   endSeen: number, draw: () => void, nonces: import("../nonces.js").Nonces}} page
 */
export function wireActions(page) {
  /** Sends a command, and says why where it is refused. */
  const command = async (type, fields = {}) => {
    const answer = await page.line.command(type, fields);
    if (answer.type === "error") page.toast(refusal(answer), "bad");
  };
  for (const type of ["start", "again", "here"]) element(type).addEventListener("click", () => command(type));
  // Whoever sits down takes part in the draw, where something is drawn.
  element("sit").addEventListener("click", () =>
    command("sit", page.state.room.commitment ? { commitment: page.nonces.commitment() } : {}));
  const seeEnd = (isSeen) => () => {
    page.endSeen = isSeen ? page.state.room.gameNumber : 0;
    page.draw();
    element(isSeen ? "results" : "end-title").focus();
  };
  element("end-close").addEventListener("click", seeEnd(true));
  element("results").addEventListener("click", seeEnd(false));
  wireName(page);
  wireLeaving(page, command);
  const host = onDemand(async () => {
    const styles = ["game-fields", "room-dialogs"].map((name) => styled(`/styles/${name}.css`));
    const [{ wireHost }] = await Promise.all([import("./room-host.js"), ...styles]);
    return () => wireHost(page, command);
  }, page.toast);
  const openSeats = (part) => part.openSeats(), openChange = (part) => part.openChange();
  element("seats").addEventListener("click", () => host.use(openSeats));
  element("change").addEventListener("click", () => host.use(openChange));
  const drawButtons = wireGameButtons(page, command);
  return (state, isEndShown) => {
    draw(state, isEndShown);
    host.part?.draw();
    drawButtons(state);
  };
}

/**
 * Has the keyboard go on where a room's button, which had it, is gone: with a free seat, the cards, or what one does next.
 * @param {Element | null} held what had it before all was drawn
 * @param {{status: string}} room
 */
export function goOnFrom(held, { status }) {
  if (!held?.closest("#actions") || !held.closest("[hidden]")) return;
  // A game that starts goes on by itself, once the cards are there.
  if (held.id === "start" && status !== "waiting") return;
  const card = status === "running" ? element("board").querySelector("[tabindex='0']") : null;
  // Whoever holds Enter down invites somebody, and does not start alone.
  const all = [element("sit"), card, ...["invite", "start", "share"].map(element)];
  all.find((one) => one && !one.closest("[hidden]"))?.focus();
}

/** What a game lets its players ask for besides moving. */
function wireGameButtons(page, command) {
  const root = element("game-buttons");
  let shown = "";
  return ({ room, view, you }) => {
    const all = games[room.game]?.buttons ?? [];
    const isPlaying = plays(page.state) && Boolean(view);
    const offered = isPlaying ? all : [];
    const types = offered.map(({ type }) => type).join();
    if (types !== shown) lay(offered);
    shown = types;
    // What cannot be used just now keeps its place, and the keyboard: nothing jumps while cards are turned.
    offered.forEach((button, index) => {
      const isResting = !button.mayUse(view, you.seat);
      root.children[index].setAttribute("aria-disabled", String(isResting));
      root.children[index].classList.toggle("resting", isResting);
    });
  };

  function lay(offered) {
    const hadFocus = root.contains(document.activeElement);
    root.replaceChildren(...offered.map(({ type, label, question }) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text(label);
      button.addEventListener("click", async () => {
        if (button.getAttribute("aria-disabled") === "true") return;
        if (!question || await ask(element("ask-dialog"), text(question), text(label))) command(type);
      });
      return button;
    }));
    // The button that had the focus may be gone: the keyboard goes on with the cards.
    if (hadFocus) element("board").querySelector("[tabindex='0']")?.focus();
  }
}

function draw({ room, you, view }, isEndShown) {
  const isOpen = room.status !== "closed", isRunning = room.status === "running" || room.status === "dealing";
  const isSeated = you.seat !== undefined, mayStart = isOpen && you.isHost && !isRunning;
  const seated = room.seats.filter(({ player }) => player).length;
  const isBanned = Boolean(room.banned?.includes(you.player));
  const maySit = isOpen && !isSeated && !isBanned && seated < room.seats.length;
  show(element("name-form"), maySit && !you.player);
  show(element("sit"), maySit && Boolean(you.player));
  const isEnough = seated >= (games[room.game]?.fewest ?? 1);
  show(element("start"), mayStart && room.status === "waiting" && isEnough);
  show(element("again"), mayStart && room.status === "ended" && isEnough);
  show(element("change"), mayStart);
  show(element("seats"), isOpen && you.isHost);
  show(element("results"), !isRunning && room.results !== undefined && !isEndShown);
  show(element("here"), isRunning && isSeated && Boolean(view?.away?.includes(you.seat)));
  show(element("leave"), isSeated && isOpen);
  show(element("share"), isOpen);
  show(element("barred"), isBanned);
  // One thing to do stands out at a time.
  element("sit").classList.toggle("primary", !isRunning);
}

function wireName(page) {
  const form = element("name-form");
  input(form, "name").value = identity()?.name ?? proposeName();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      page.line.greet((await register(input(form, "name").value)).token);
    } catch (error) { page.toast(error.message, "bad"); }
  });
}

function wireLeaving(page, command) {
  const dialog = element("leave-dialog");
  dialog.addEventListener("close", () => { if (dialog.returnValue === "leave") command("leave"); });
  element("leave").addEventListener("click", () => {
    const { room, you } = page.state;
    const plays = room.status === "running" && room.players.some(({ player }) => player === you.player);
    if (!plays) return command("leave");
    dialog.returnValue = "";
    dialog.showModal();
  });
}

/**
 * Tells whoever looks what the host did to them.
 * @param {any} message
 * @param {{you: any}} state
 * @param {(text: string, kind?: string) => void} toast
 */
export function tellRole({ type, player, on }, { you }, toast) {
  if (player === undefined || player !== you.player) return;
  if (type === "player-banned") toast(text(on ? "error.banned" : "host.unbanned.you"), on ? "bad" : "");
  if (type === "player-muted") toast(text(on ? "error.muted" : "host.unmuted.you"), on ? "bad" : "");
  if (type === "host-changed") toast(text("host.changed.you"));
}
