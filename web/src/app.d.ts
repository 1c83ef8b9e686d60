// Nothing of SvelteKit's own types is widened here yet; the file lets TypeScript find them.
declare global {
  namespace App {
    interface Error {
      /** A sentence for people. */
      message: string;
    }
  }
}

export {};
