import { readFileSync } from 'node:fs';

/** Style sheet for all media. */
export const styleSheet = readFileSync(new URL('styles/page.css', import.meta.url), 'utf8');

/** Additional style sheet for screens, in colours that the caller names. */
export const screenStyleSheet = readFileSync(new URL('styles/screen.css', import.meta.url), 'utf8');

/** Additional style sheet for print: page breaks, wrapped code, landscape pages for wide tables. */
export const printStyleSheet = readFileSync(new URL('styles/print.css', import.meta.url), 'utf8');
