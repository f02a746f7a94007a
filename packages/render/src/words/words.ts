import type { BlockWords } from '@bindery/dialect';

/** The fixed words in pages and around them, in one language. */
export type Words = BlockWords & {
  /** The code of the language (BCP 47). */
  language: string;
  untitled: string;
  table: (number: number) => string;
  skip: string;
  pages: string;
  pagesBelow: (title: string) => string;
  search: string;
  close: string;
  enterWords: string;
  pagesFound: (count: number) => string;
  searchFailed: string;
  copy: string;
  copied: string;
  theme: string;
  system: string;
  light: string;
  dark: string;
  breadcrumbs: string;
  onThisPage: string;
  previous: string;
  next: string;
  previousAndNext: string;
  updated: string;
  links: string;
  sections: string;
  anotherSpace: string;
  noPage: string;
  noPageText: string;
  tooLarge: string;
  nothingHere: string;
  nothingHereText: string;
  notNow: string;
  notNowText: string;
  preview: string;
  changeRequest: (name: string) => string;
  printSpace: string;
  printCut: string;
  announcement: string;
  privacyPolicy: string;
};
