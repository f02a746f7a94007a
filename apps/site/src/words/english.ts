import type { Words } from './words.ts';

export const english: Words = {
  search: 'Search',
  close: 'Close',
  enterWords: 'Enter the words to look for.',
  pagesFound: (count) => (count === 1 ? '1 page found.' : `${count} pages found.`),
  searchFailed: 'The search does not answer. Try again in a minute.',
  copy: 'Copy',
  copied: 'Copied',
};
