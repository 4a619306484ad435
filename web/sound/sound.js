// @ts-check
import { wantsMusic, wantsSound } from "../store/settings.js";

/**
 * All sounds, made from tones and noise as they play: no files. The first touch or key loads it and makes its
 * `AudioContext`, since browsers keep pages silent before.
 */

/** Overall loudness: the user may be listening to other music. */
const VOLUME = 0.5;
/** Most sounds at a time; more are dropped: a page that was asleep gets many events at once. */
const VOICE_LIMIT = 24;

/**
 * @typedef {import("../games/game.js").Sounding} Sounding
 * @typedef {Sounding & {to?: number, shape: OscillatorType, into?: AudioNode, swell?: number}} Tone
 */

/** A pentatonic scale in Hz, from A3: any two of its notes go together. */
const SCALE = [220, 246.94, 293.66, 329.63, 369.99, 440, 493.88, 587.33, 659.26, 739.99, 880];
/** One bar of the music, in s, and its chords as steps of the scale. */
const BAR = 4.8;
const CHORDS = [[0, 3, 5], [2, 5, 7], [1, 4, 6], [0, 2, 5]];

export class Sound {
  #context = new AudioContext();
  #out; #noise; #voices = 0;
  #music = { timer: 0, bar: 0, gain: /** @type {GainNode | null} */ (null) };

  constructor() {
    const squeeze = this.#context.createDynamicsCompressor();
    this.#out = this.#context.createGain();
    this.#out.gain.value = VOLUME;
    this.#out.connect(squeeze).connect(this.#context.destination);
    this.#noise = this.#context.createBuffer(1, this.#context.sampleRate / 2, this.#context.sampleRate);
    const samples = this.#noise.getChannelData(0);
    for (let index = 0; index < samples.length; index++) samples[index] = 2 * Math.random() - 1;
  }

  /**
   * Applies the settings; call it again whenever they may have changed, from within a gesture. Settles once they apply.
   */
  follow() {
    const settled = wantsSound() ? this.#context.resume() : this.#context.suspend();
    if (wantsMusic()) this.#startMusic();
    else this.#stopMusic();
    return settled;
  }

  /**
   * Adds the sounds of a game.
   * @param {Record<string, import("../games/game.js").SoundMaker>} sounds
   */
  learn(sounds) { this.#cues = { ...sounds, ...this.#cues }; }

  /**
   * @param {string} cue
   * @param {number} delay ms from now
   */
  play(cue, delay = 0) {
    if (!wantsSound() || this.#context.state !== "running" || this.#voices >= VOICE_LIMIT) return;
    this.#cues[cue]?.(this.#instrument, this.#context.currentTime + delay / 1_000);
  }

  /** @type {import("../games/game.js").Instrument} */
  #instrument = { tone: (tone) => this.#tone(tone), hiss: (noise) => this.#hiss(noise) };

  /**
   * The sounds of any room.
   * @type {Record<string, import("../games/game.js").SoundMaker>}
   */
  #cues = {
    button: (play, at) => play.tone({ at, from: 520, to: 440, lasts: 0.05, peak: 0.12, shape: "triangle" }),
    turn: (play, at) => [587.33, 880].forEach((from, index) =>
      play.tone({ at: at + index * 0.12, from, lasts: 0.5, peak: 0.18, shape: "sine" })),
    arrival: (play, at) => [659.26, 523.25, 783.99].forEach((from, index) =>
      play.tone({ at: at + index * 0.14, from, lasts: 0.6, peak: 0.2, shape: "sine" })),
    win: (play, at) => [523.25, 659.26, 783.99, 1_046.5, 783.99, 1_046.5].forEach((from, index) =>
      play.tone({ at: at + index * 0.12, from, lasts: index === 5 ? 0.9 : 0.28, peak: 0.22, shape: "triangle" })),
    end: (play, at) => [440, 369.99, 293.66].forEach((from, index) =>
      play.tone({ at: at + index * 0.18, from, lasts: 0.5, peak: 0.16, shape: "triangle" })),
    reaction: (play, at) => play.tone({ at, from: 480, to: 960, lasts: 0.12, peak: 0.12, shape: "sine" }),
  };

  /** One tone that rises at once and dies away, gliding if it has a `to`. */
  #tone(/** @type {Tone} */ { at, from, to = from, lasts, peak, shape, into = this.#out, swell = 0.008 }) {
    const source = this.#context.createOscillator();
    source.type = shape;
    source.frequency.setValueAtTime(from, at);
    source.frequency.exponentialRampToValueAtTime(to, at + lasts);
    this.#sound(source, source, { at, lasts, peak, into, swell });
  }

  /** Noise through a moving band: cards on a table. */
  #hiss(/** @type {Sounding & {to: number}} */ { at, lasts, peak, from, to }) {
    const source = this.#context.createBufferSource();
    const band = this.#context.createBiquadFilter();
    source.buffer = this.#noise;
    band.type = "bandpass";
    band.frequency.setValueAtTime(from, at);
    band.frequency.exponentialRampToValueAtTime(to, at + lasts);
    source.connect(band);
    this.#sound(source, band, { at, lasts, peak, into: this.#out, swell: 0.008 });
  }

  /**
   * @param {AudioScheduledSourceNode} source
   * @param {AudioNode} last node that it goes through
   * @param {{at: number, lasts: number, peak: number, into: AudioNode, swell: number}} shape
   */
  #sound(source, last, { at, lasts, peak, into, swell }) {
    const gain = this.#context.createGain();
    gain.gain.setValueAtTime(0.0001, at);
    gain.gain.exponentialRampToValueAtTime(peak, at + swell);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + lasts);
    last.connect(gain).connect(into);
    this.#voices += 1;
    source.onended = () => {
      this.#voices -= 1;
      gain.disconnect();
    };
    source.start(at);
    source.stop(at + lasts + 0.02);
  }

  #startMusic() {
    if (this.#music.gain) return;
    const gain = this.#context.createGain();
    gain.gain.value = 0.5;
    gain.connect(this.#out);
    this.#music = { timer: 0, bar: 0, gain };
    this.#bar(this.#context.currentTime + 0.1);
  }

  #stopMusic() {
    clearTimeout(this.#music.timer);
    // Sounds that have begun fade with it.
    this.#music.gain?.gain.setTargetAtTime(0, this.#context.currentTime, 0.2);
    this.#music = { timer: 0, bar: 0, gain: null };
  }

  /** One bar: a soft chord with a few random notes above it; then the next one. */
  #bar(/** @type {number} */ at) {
    const { gain } = this.#music;
    if (!gain || !wantsMusic()) return this.#stopMusic();
    // Timers run late in background pages; missed bars are skipped.
    const start = Math.max(at, this.#context.currentTime + 0.05);
    for (const step of CHORDS[this.#music.bar++ % CHORDS.length]) {
      const chord = /** @type {const} */ ({ lasts: BAR * 1.15, peak: 0.07, shape: "sine", swell: 1.4 });
      this.#tone({ at: start, from: SCALE[step] / 2, into: gain, ...chord });
    }
    for (let beat = 0; beat < 8; beat++) {
      // In the background only the chords continue.
      if (document.hidden || Math.random() > 0.42) continue;
      const from = SCALE[3 + Math.floor(Math.random() * 7)];
      const delay = start + beat * BAR / 8;
      this.#tone({ at: delay, from, lasts: 1.3, peak: 0.05, shape: "triangle", into: gain, swell: 0.02 });
    }
    const wait = (start + BAR - this.#context.currentTime - 0.3) * 1_000;
    this.#music.timer = window.setTimeout(() => this.#bar(start + BAR), wait);
  }
}
