// Reads what the browser has printed: how many sheets, and which words stand on them.
import { execFileSync } from 'node:child_process';

/** How many sheets of paper a PDF is. */
export const pagesOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;

/** All words of a file, as poppler reads them. */
export const textOf = (pdf: Buffer): string =>
  execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf }).toString();
