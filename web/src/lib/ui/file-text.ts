// Text files as people have them: those of today are UTF-8, those of older programs often not.

/** The text of a file: UTF-8 if it is that, otherwise what Windows wrote in Western Europe (which has Latin-1 in it). */
export function textOf(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
