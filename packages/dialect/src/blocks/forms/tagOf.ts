import { element, type Html } from '../../tree/html.ts';

/** A small label: a tag of an update, an option of a cell. */
export function tagOf(words: string): Html {
  return element('span', { class: 'tag' }, words);
}
