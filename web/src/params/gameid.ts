/** Game and challenge ids: eight letters or digits. */
export function match(param: string): boolean {
  return /^[A-Za-z0-9]{8}$/.test(param);
}
