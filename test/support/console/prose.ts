import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../../docs/', import.meta.url);
const documents = readdirSync(folder)
  .filter((name) => name.endsWith('.md'))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'));
const words = documents.flatMap((text) => text.match(/[A-Za-z][a-z]+/g) ?? []);

/** Words of real prose; each number gives other ones, so that lists of them compress as real lists do. */
export function prose(number: number, count: number): string {
  const start = number * 61;
  return Array.from({ length: count }, (_, index) => words[(start + index) % words.length]).join(' ');
}
