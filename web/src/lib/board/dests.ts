// Reads the server's short form of the legal moves.

/**
 * Where each piece may go, from `"e2e3e4 g1f3h3"`: groups by origin, the first square of a group is the origin.
 */
export function parseDests(text: string): Map<string, string[]> {
  const dests = new Map<string, string[]>();
  for (const group of text.split(' ')) {
    const [origin, ...targets] = group.match(/../g) ?? [];
    if (origin !== undefined) dests.set(origin, targets);
  }
  return dests;
}
