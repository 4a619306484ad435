// @ts-check
import { addTexts } from "./texts.js";

/** The sentences in English that only the dialogs about the own account have. */
export const en = {
  "saved.signed-out": "signed out",
  "saved.elsewhere": "on a different server",
  "saved.forget": "Forget on this device",
  "saved.forget.question": "Forget {name} on this device?",
  "saved.forget.consequence": "To play as {name} again, you’ll need a code from another device or the recovery code.",
  "devices.this": "this device",
  "devices.since": "since {day}",
  "devices.sign-out": "Sign out",
  "devices.sign-out-here": "Sign out here",
  "devices.sign-out.question": "Sign out {name}?",
  "devices.sign-out.consequence": "It can then only watch, until you give it a new code.",
  "devices.sign-out-here.question": "Sign out on this device?",
  "devices.sign-out-here.way-back": "To get back in, use a code from another of your devices or your recovery code.",
  "devices.sign-out-here.only": "This is your only device. Have you written down your recovery code? Without it, you can’t get back in.",
  "devices.signed-out": "{name} is signed out.",
  "devices.signed-out-here": "You’re signed out on this device.",
  "recovery.none": "You don’t have one yet.",
  "recovery.there": "You have one.",
  "recovery.unseen": "No answer. A code may exist that you never saw. Make a new one.",
  "recovery.make": "Make a recovery code",
  "recovery.make-new": "Make a new one",
  "recovery.replace": "Make a new recovery code? The old one will stop working.",
  "recovery.copied": "Code copied.",
  "recovery.by-hand": "This browser can’t copy it. Write it down.",
  "you.rename": "Change",
  "you.take-name": "Use this name",
  "you.renamed": "You’re now {name}.",
  "take.picture": "QR code that signs in one device as you, once",
  "take.copied": "Link copied. Open it on your other device.",
  "take.taken": "{name} is now signed in as you.",
  "take.too-old": "That code has expired. Show a new one.",
  "forget.question": "Delete your account, {name}?",
  "forget.done": "Your account is deleted. Your name is gone.",
};

addTexts({ en });
