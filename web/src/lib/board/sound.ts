// A piece set down on wood: two short tones made by the browser itself, so there is no file to load.

let context: AudioContext | null = null;

/** Knocks once. Where the browser allows no sound yet, or has none, nothing happens. */
export function knock(): void {
  try {
    context ??= new AudioContext();
    // Browsers hold sound back until somebody has pressed something.
    if (context.state === 'suspended') void context.resume();
    tone(context, 190, 0.25);
    tone(context, 720, 0.06);
  } catch {
    // A game is played as well in silence.
  }
}

function tone(audio: AudioContext, hertz: number, loudness: number): void {
  const [source, volume, now] = [audio.createOscillator(), audio.createGain(), audio.currentTime];
  source.frequency.value = hertz;
  volume.gain.setValueAtTime(loudness, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.08);
  source.connect(volume).connect(audio.destination);
  source.start(now);
  source.stop(now + 0.09);
}
