/** The token of a one-time link, from the query of its address. */
export function readToken(query: string): string | null {
  return new URLSearchParams(query).get('token') || null;
}
