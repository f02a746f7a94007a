import type { FeedbackRating } from '@bindery/contract';
import type { BlockWords, Html } from '@bindery/dialect';
import type { FactWords } from '@bindery/dialect/openapi';

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
  tags: string;
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
  tokenTooLong: string;
  tokenTooLongText: string;
  preview: string;
  changeRequest: (name: string) => string;
  printSpace: string;
  printCut: string;
  announcement: string;
  privacyPolicy: string;
  editPage: string;
  printPage: string;
  viewMarkdown: string;
  copyMarkdown: string;
  pageActions: string;
  contributors: string;
  furtherPeople: (count: number) => string;
  /** The question whether a page was helpful, its answers by rating, and the thanks for one. */
  feedback: Record<'question' | FeedbackRating | 'thanks', string>;
  openapi: OpenapiWords;
};

/**
 * The labels of operations and schemas. `path`, `query`, `header` and `cookie`: of the parameters there.
 * `oneOfThese`: callers need one of several.
 */
export type OpenapiWords = Record<
  | 'path'
  | 'query'
  | 'header'
  | 'cookie'
  | 'deprecated'
  | 'body'
  | 'requiredBody'
  | 'responses'
  | 'server'
  | 'servers'
  | 'authorization'
  | 'oneOfThese'
  | 'optional',
  string
> & {
  scopes: (names: string) => string;
  propertiesOf: (name: Html) => Html;
  facts: FactWords;
};
