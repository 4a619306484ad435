// @ts-check
import { addTexts } from "./texts.js";

/** The sentences in English that only the dialogs of a host have. */
export const en = {
  "seats.free-it": "Remove",
  "seats.free": "free",
  "seats.help": "Let the computer play",
  "seats.replace": "Change",
  "seats.level-of": "Computer level, seat {seat}",
  "seats.add": "Add a computer",
  "host.nobody": "No one else is here yet.",
  "host.mute": "Mute",
  "host.unmute": "Unmute",
  "host.ban": "Ban",
  "host.unban": "Unban",
  "host.is-muted": "muted",
  "host.is-banned": "banned",
  "host.ban.question": "Ban {name}? They lose their seat and can only watch.",
  "host.close.question": "Close this room for good? This ends any game in progress.",
};

addTexts({ en });
