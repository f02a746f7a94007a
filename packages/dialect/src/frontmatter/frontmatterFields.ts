/** A pair and no property of an object, because a name may be `__proto__`. */
export type Variable = { name: string; value: string | number | boolean };

export type PageTag = { tag: string; primary?: true };

/** What frontmatter says of a page's layout; a member that is absent has its default. */
export type PageLayout = {
  preset?: 'docs' | 'editorial' | 'landing';
  width?: 'default' | 'wide';
  coverSize?: 'hero' | 'full' | 'background';
  coverMask?: 'none' | 'radial';
  cover?: boolean;
  title?: boolean;
  description?: boolean;
  tableOfContents?: boolean;
  outline?: boolean;
  pagination?: boolean;
  metadata?: boolean;
  tags?: boolean;
  actions?: boolean;
  anchors?: boolean;
};

/** The frontmatter keys that mean something here, checked. `cover` is as written: a path, seen from the page, or a URL. */
export type PageFrontmatter = {
  /** Names an include; a page has its title from the navigation. */
  title?: string;
  description?: string;
  icon?: string;
  /** Code points in hexadecimal, joined by `-`. */
  emoji?: string;
  hidden?: boolean;
  noIndex?: boolean;
  noRobotsIndex?: boolean;
  /** The key `if`: an expression that decides who sees the page. */
  condition?: string;
  tags?: PageTag[];
  variables?: Variable[];
  layout?: PageLayout;
  cover?: { light?: string; dark?: string };
  coverY?: number;
  coverHeight?: number;
};
