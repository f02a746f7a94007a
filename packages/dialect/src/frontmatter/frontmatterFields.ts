/** A pair rather than a property of an object, because a name may be `__proto__`. */
export type Variable = { name: string; value: string | number | boolean };

export type PageTag = { tag: string; primary?: true };

/** The layout of a page in its frontmatter; an absent member has its default. */
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

/** The known frontmatter keys, validated. `cover` is as written: a path relative to the page, or a URL. */
export type PageFrontmatter = {
  /** The title of an include; the title of a page comes from the navigation. */
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
