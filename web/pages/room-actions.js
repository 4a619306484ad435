// @ts-check
import { identity, proposeName, register } from "../identity.js";
import { gameFields } from "../views/game-fields.js";
import { element, gameTemplates, input } from "./elements.js";

/**
 * Wires all buttons of a room; the function it returns shows those that fit a state.
 * @param {{state: any, line: import("../connection.js").RoomConnection, toast: (text: string, kind?: string) => void,
 *   endSeen: number, draw: () => void}} page
 */
export function wireActions(page) {
  /** Sends a command, and says why where it is refused. */
  const command = async (type, fields = {}) => {
    const answer = await page.line.command(type, fields);
    if (answer.type === "error") page.toast(answer.message, "bad");
  };
  for (const type of ["sit", "start", "again", "here"]) element(type).addEventListener("click", () => command(type));
  element("share").addEventListener("click", () => share(page.toast));
  const seeEnd = (isSeen) => () => {
    page.endSeen = isSeen ? page.state.room.gameNumber : 0;
    page.draw();
    element(isSeen ? "results" : "end-title").focus();
  };
  element("end-close").addEventListener("click", seeEnd(true));
  element("results").addEventListener("click", seeEnd(false));
  wireName(page);
  wireLeaving(page, command);
  wireChanging(page, command);
  return draw;
}

function draw({ room, you, view }, isEndShown) {
  const isOpen = room.status !== "closed", isRunning = room.status === "running";
  const isSeated = you.seat !== undefined, mayStart = isOpen && you.isHost && !isRunning;
  const seated = room.seats.filter(({ player }) => player).length;
  const maySit = isOpen && !isSeated && seated < room.seats.length;
  show("name-form", maySit && !you.player);
  show("sit", maySit && Boolean(you.player));
  show("start", mayStart && room.status === "waiting" && seated > 0);
  show("again", mayStart && room.status === "ended" && seated > 0);
  show("change", mayStart);
  show("results", !isRunning && room.results !== undefined && !isEndShown);
  show("here", isRunning && isSeated && Boolean(view?.away.includes(you.seat)));
  show("leave", isSeated && isOpen);
  show("share", isOpen);
  // One thing to do stands out at a time.
  element("sit").classList.toggle("primary", !isRunning);
}

/** @param {string} id @param {boolean} isShown */
function show(id, isShown) { element(id).hidden = !isShown; }

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

function wireChanging(page, command) {
  const dialog = element("change-dialog");
  const fields = gameFields(dialog.querySelector(".game-fields"), gameTemplates());
  dialog.addEventListener("close", () => {
    if (dialog.returnValue === "change") command("options", { options: fields.read() });
  });
  element("change").addEventListener("click", () => {
    fields.draw(page.state.room.options);
    dialog.returnValue = "";
    dialog.showModal();
  });
}

async function share(toast) {
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) {
      return await navigator.share({ title: "Flipside", text: "Play Memory with me", url: location.href });
    }
    await navigator.clipboard.writeText(location.href);
    toast("The link is copied: send it to your friends.");
  } catch (error) {
    if (error.name === "AbortError") return;
    toast(copyByHand() ? "The link is copied: send it to your friends." : `Send this link: ${location.href}`);
  }
}

/** Plain http in a local network has no clipboard to write to; the old way still works there. */
function copyByHand() {
  const text = Object.assign(document.createElement("textarea"), { value: location.href, className: "hidden" });
  document.body.append(text);
  text.select();
  const isCopied = document.execCommand("copy");
  text.remove();
  return isCopied;
}
