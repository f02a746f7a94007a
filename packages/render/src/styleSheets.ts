import { readFileSync } from 'node:fs';

/** How pages look on all media. */
export const styleSheet = readFileSync(new URL('styles/page.css', import.meta.url), 'utf8');

/** What paper needs besides: page breaks, wrapped code, landscape pages for wide tables. */
export const printStyleSheet = readFileSync(new URL('styles/print.css', import.meta.url), 'utf8');
