import { brazilianPortuguese } from './brazilianPortuguese.ts';
import { chinese } from './chinese.ts';
import { dutch } from './dutch.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { japanese } from './japanese.ts';
import { norwegian } from './norwegian.ts';
import { russian } from './russian.ts';
import { spanish } from './spanish.ts';
import type { Words } from './words.ts';

/** The locales of a site's customization, by the first part of their code. */
const languages: ReadonlyMap<string, Words> = new Map([
  ['en', english],
  ['fr', french],
  ['es', spanish],
  ['zh', chinese],
  ['ja', japanese],
  ['de', german],
  ['nl', dutch],
  ['no', norwegian],
  ['nb', norwegian],
  ['pt', brazilianPortuguese],
  ['ru', russian],
]);

/**
 * The fixed words for PDFs and sites, in the first of these languages (BCP 47) that has some; in English when
 * none has.
 */
export function wordsOf(...wanted: readonly (string | undefined)[]): Words {
  for (const language of wanted) {
    const words = languages.get(language?.toLowerCase().split('-', 1)[0] ?? '');
    if (words) return words;
  }
  return english;
}
