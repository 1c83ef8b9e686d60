// Solves the captcha beside the page, so that nothing stands still meanwhile.
import type { CaptchaChallenge } from '$lib/api/types';
import { solvePuzzle } from './puzzle';

self.onmessage = (event: MessageEvent<CaptchaChallenge>) => {
  self.postMessage(solvePuzzle(event.data, () => performance.now()));
};
