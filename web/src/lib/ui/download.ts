/** Lets the browser save a text as a file. */
export function downloadText(name: string, text: string, type = 'text/plain'): void {
  downloadFile(name, new Blob([text], { type }));
}

/** Lets the browser save something as a file. */
export function downloadFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
