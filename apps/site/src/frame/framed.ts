import type { PageLayout } from '@bindery/dialect/frontmatter';
import type { Value } from '@bindery/html';
import type { SitePaths } from '../page/sitePaths.ts';
import type { CustomParts } from './customParts.ts';

/** A page of a site without its frame. */
export type Framed = CustomParts & {
  title: string;
  direction?: 'ltr' | 'rtl';
  paths: SitePaths;
  /** The parts of the page that its author chose to show. */
  layout?: PageLayout;
  style: string;
  /** The path of the font that it needs first. */
  font?: string | undefined;
  description?: string | undefined;
  canonical?: string | undefined;
  /** The URL of the picture that was drawn for it. */
  card?: string | undefined;
  markdown?: string | undefined;
  /** The path of the feed of its updates. */
  feed?: string | undefined;
  isIndexed: boolean;
  /** Sections of the site, and variants of the section. */
  switchers?: Value;
  navigation?: Value;
  /** A picture above the page that is as wide as the window. */
  cover?: Value;
  main: Value;
  outline?: Value;
  /** Says that the page is not published. */
  preview?: string | undefined;
  /** The words of a search that is shown. */
  query?: string | undefined;
  needsMath?: boolean;
  /** The paths of its icons. */
  iconPaths?: Value;
};
