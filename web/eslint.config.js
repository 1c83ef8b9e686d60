import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

/** The borders of the page: one room talks HTTP, one room talks WebSocket. */
const onlyIn = (name, room) => ({
  name,
  message: `Only src/lib/${room} may use ${name}.`,
});

export default ts.config(
  { ignores: ['.svelte-kit/', 'build/', 'node_modules/', 'src/lib/api/schema.ts'] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    rules: {
      eqeqeq: ['error', 'always'],
      'no-console': 'error',
      // TypeScript knows which names exist.
      'no-undef': 'off',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      parserOptions: { extraFileExtensions: ['.svelte'], parser: ts.parser, svelteConfig },
    },
  },
  {
    files: ['src/**'],
    ignores: ['src/lib/api/**', 'src/lib/live/**'],
    rules: { 'no-restricted-globals': ['error', onlyIn('fetch', 'api'), onlyIn('WebSocket', 'live')] },
  },
);
