/** HTML pages from templates that escape each value for its place. */
export { html, Html, trusted, type Value } from './html.ts';
export { duration, facts, moment, shortened, size, table, type Column } from './parts.ts';
