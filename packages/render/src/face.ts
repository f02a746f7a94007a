import type { DocumentTree } from '@bindery/contract';
import type { DocumentVariables, Reference, VisitorClaims } from '@bindery/dialect';

/** The input for rendering a page. */
export type PageToRender = {
  page: {
    /** Prefix of all ids in its HTML, so that the pages of a book can stand in one document. */
    id: string;
    title: string;
    description?: string;
    /** An emoji in front of the title, as characters or code points. */
    emoji?: string;
    /** The language of its text (BCP 47), for dates, direction, and Chinese, Japanese and Korean fonts. */
    language?: string;
  };
  /** Resolved, with its reusable contents inlined (`resolveDocument`, `inlineReusableContents`). */
  document: DocumentTree;
  /**
   * A member sees all conditional content, each part with its condition; a visitor what the claims permit.
   */
  reader: 'member' | { claims: VisitorClaims };
  variables?: DocumentVariables;
  /**
   * Blocks of the top level that are shown as changed, by their keys: each is in an element with this class,
   * below the label.
   */
  marks?: ReadonlyMap<string, { className: string; label: string }>;
  /** Default: `paper`. */
  medium?: Medium;
  /** `blank`: links to other hosts open in a window of their own; not on paper. */
  externalLinks?: 'self' | 'blank';
  /** `false`: code is not highlighted, and formulas are shown as TeX, because it takes too long. */
  isTypeset?: boolean;
  sources: PageSources;
};

/**
 * - `paper`: everything is open and one after the other, ids begin with the page's.
 * - `screen`: readers open expandable blocks and choose tabs, ids are the anchors, links may be paths of the
 *   own host, and no attribute has a style.
 * - `sheets`: pages of a site that are printed together: as on paper, with the links and attributes of a
 *   screen.
 */
export type Medium = 'paper' | 'screen' | 'sheets';

/** Finds what a page refers to. */
export type PageSources = {
  /**
   * The target of a reference: to a page, an anchor of another page, a space, a file, a user, ... Web
   * addresses and anchors of the same page are not asked for. undefined: the words stay, without a link.
   */
  linkOf(ref: Reference): LinkTarget | undefined;
  /** The file with this id; undefined for one that is gone. */
  fileOf(id: string): PageFile | undefined;
  /**
   * The specification behind an OpenAPI block, parsed, with its internal `$ref`s; undefined when it is not
   * there: the block is a notice with method and path.
   */
  openapiOf?(ref: Reference): Promise<object | undefined>;
};

/**
 * `href`: http, https, mailto, or `#id` for a place in the same book (`idOfPage`, `idOfAnchor`); on a screen
 * also a path of the own host. Any other is dropped. Without it, the title is shown as text.
 */
export type LinkTarget = { title: string; href?: string; description?: string };

export type PageFile = {
  name: string;
  /** In bytes. */
  size?: number;
  /** Where readers download it: http or https. */
  href?: string;
  /**
   * For a picture: the address that the caller serves, such as `https://render.invalid/files/<key>`. Without
   * it, the picture is shown as a placeholder with its text.
   */
  src?: string;
};

export type RenderedPage = {
  /**
   * The title as `h1`, the body, and the notes: the content of an `<article class="page" lang dir>`, which
   * the caller writes.
   */
  html: string;
  /**
   * Positions in `html` where a top-level `h2` begins, in order: a page may be cut there, and each piece is
   * complete HTML for an article of its own.
   */
  cuts: number[];
  /** The value of `dir` for the article. */
  direction: 'ltr' | 'rtl';
  /** Exactly the h1 to h6 elements of `html`, in order; the first is the title. No level is skipped. */
  headings: { id: string; level: number; title: string }[];
  /** The start of its text, at most 160 characters in one line; undefined for a page without any. */
  summary?: string | undefined;
  /** All ids in `html`: a link to another one leads nowhere. */
  ids: string[];
  /** The pictures that `html` shows, each once. */
  images: { file: string; src: string }[];
  /** Whether `html` needs `mathStyleSheet`. */
  hasMath: boolean;
  /** False when code or formulas are shown as they are written, because one took too long. */
  isComplete: boolean;
};

/** Limits for one page. */
export type RenderLimits = {
  /** Length of a page's HTML in characters. */
  characters: number;
  /** Elements in a page. */
  elements: number;
  /** Nesting of elements. */
  depth: number;
};

export type RendererOptions = {
  /** Default: 5,000,000 characters, 50,000 elements, 200 levels. */
  limits?: Partial<RenderLimits>;
  /** The schemes that links may have. Default: http, https, mailto. */
  linkSchemes?: readonly string[];
};

export type Renderer = {
  /**
   * Renders a page. Equal input gives equal HTML.
   * @throws PageTooLargeError
   */
  renderPage(given: PageToRender): Promise<RenderedPage>;
  /** Ends the highlighter's thread. */
  close(): Promise<void>;
};
