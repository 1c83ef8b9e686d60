// Shows the server that a request cost some work. No third party and nothing to click: the browser solves a puzzle.
import { getCaptcha } from '$lib/api/accounts';
import type { CaptchaChallenge } from '$lib/api/types';
import type { Solution } from './puzzle';
import PuzzleWorker from './puzzle.worker?worker';

/** Fetches a puzzle, solves it and gives what to send as `captcha`. */
export async function solveCaptcha(): Promise<string> {
  const challenge = await getCaptcha();
  const solution = await solve(challenge);
  return btoa(JSON.stringify({ challenge, solution }));
}

function solve(challenge: CaptchaChallenge): Promise<Solution> {
  return new Promise((resolve, reject) => {
    const worker = new PuzzleWorker();
    worker.onmessage = (event: MessageEvent<Solution | null>) => {
      worker.terminate();
      if (event.data === null) reject(new Error('the puzzle has no solution'));
      else resolve(event.data);
    };
    worker.onerror = () => {
      worker.terminate();
      reject(new Error('the puzzle could not be worked on'));
    };
    worker.postMessage(challenge);
  });
}
