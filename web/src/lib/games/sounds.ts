// Which sound a change of the game makes, and the sounds themselves: a few tones each, made on the spot.
import type { Color, GameView } from '$lib/api/types';

export type Sound = 'move' | 'capture' | 'check' | 'low' | 'end' | 'chat';

/** One tone: its pitch in hertz, when it begins and how long it lasts, in seconds, and how loud it is. */
interface Tone {
  pitch: number;
  at: number;
  length: number;
  volume: number;
  shape: OscillatorType;
}

const tone = (pitch: number, at: number, length: number, volume = 0.18, shape: OscillatorType = 'triangle'): Tone => ({
  ...{ pitch, at, length, volume, shape },
});

const TONES: Record<Sound, readonly Tone[]> = {
  move: [tone(330, 0, 0.07), tone(165, 0, 0.05, 0.12)],
  capture: [tone(262, 0, 0.06, 0.22), tone(196, 0.04, 0.09, 0.22), tone(98, 0, 0.06, 0.14, 'square')],
  check: [tone(523, 0, 0.08), tone(659, 0.08, 0.12)],
  low: [tone(880, 0, 0.06, 0.14), tone(880, 0.12, 0.06, 0.14)],
  end: [tone(392, 0, 0.14), tone(494, 0.12, 0.14), tone(587, 0.24, 0.3)],
  chat: [tone(784, 0, 0.05, 0.08, 'sine')],
};

/** What is to be heard when a game goes from one state to the next; null for silence. */
export function soundOf(before: GameView, after: GameView): Sound | null {
  if (before.outcome === null && after.outcome !== null) return 'end';
  if (after.ply !== before.ply + 1) return null;
  if (after.check !== null) return 'check';
  return after.moves.at(-1)?.san.includes('x') ? 'capture' : 'move';
}

/** Whether somebody else has said something since. */
export function isSpokenTo(before: Pick<GameView, 'chat'>, after: GameView): boolean {
  const line = after.chat.at(-1);
  if (line === undefined || after.chat.length <= before.chat.length) return false;
  return after.you === null || line.by.id !== after.players[after.you].id;
}

/** When a clock is low: a tenth of the time, between five and thirty seconds. */
export function lowTime(view: Pick<GameView, 'time'>, color: Color): number {
  const { time } = view;
  if (time.kind !== 'fischer' && time.kind !== 'stages') return 0;
  const whole = time.kind === 'fischer' ? time.initial_ms : (time[color][0]?.time_ms ?? 0);
  return Math.min(30_000, Math.max(5_000, whole / 10));
}

let context: AudioContext | undefined;

/** Plays a sound. Browsers are silent until the page has been touched once; that is theirs to decide. */
export function play(sound: Sound): void {
  if (typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  for (const each of TONES[sound]) playTone(context, each);
}

function playTone(audio: AudioContext, { pitch, at, length, volume, shape }: Tone): void {
  const begin = audio.currentTime + at;
  const oscillator = audio.createOscillator();
  const gain = audio.createGain();
  oscillator.type = shape;
  oscillator.frequency.value = pitch;
  gain.gain.setValueAtTime(0, begin);
  gain.gain.linearRampToValueAtTime(volume, begin + 0.005);
  gain.gain.exponentialRampToValueAtTime(0.001, begin + length);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(begin);
  oscillator.stop(begin + length);
}
