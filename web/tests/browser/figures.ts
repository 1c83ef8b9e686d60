// How benchmarks of the page tell what they have measured. They judge nothing: a machine that does other work besides
// is no reason for a red test.

/** Prints the spread of some times, in milliseconds, beside what was promised. */
export function tell(what: string, times: readonly number[], promise: number): void {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(2);
  // eslint-disable-next-line no-console -- the figures are what it is for
  console.log(`${what}: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, worst ${at(1)} ms (promised: ${promise} ms)`);
}
