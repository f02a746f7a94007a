import type { DocumentNode } from '@bindery/contract';
import type { Html } from './html.ts';
import type { Data } from './nodes.ts';

/** The services that a block needs to become HTML. Paths and addresses are the renderer's business. */
export type RenderContext = {
  /** Renders blocks, or the inlines of a paragraph. */
  render(nodes: readonly DocumentNode[]): Html;
  linkOf(ref: unknown): RenderedLink;
  /** The address of a picture that may be shown; otherwise its name, and a link if there is one. */
  pictureOf(ref: unknown): { src: string } | RenderedLink;
  /** The id of an anchor of this page. */
  idOf(anchor: string): string;
  /**
   * Names a group of tabs of which readers choose one. Absent where nobody can choose, as on paper: all tabs
   * stand one after the other, and expandable blocks are open.
   */
  tabGroup?: (() => string) | undefined;
  /** Puts blocks among the notes at the end of the page. */
  noteOf(nodes: readonly DocumentNode[]): { number: number; noteId: string; referenceId: string };
  /** Splits code into lines of tokens. Never rejects. */
  highlighted(code: string, language: string): Promise<CodeToken[][]>;
  /** Typesets TeX, or shows its source. */
  formula(tex: string, display: 'block' | 'inline'): Html;
  /** Describes an operation, schemas or a webhook; undefined if the specification is not at hand. */
  openapi(block: { type: string; data: Data }): Promise<Html | undefined>;
  /** In the language of the page. */
  words: BlockWords;
  /** A date in the language of the page. */
  dateOf(time: string, format: string): string;
};

/**
 * The fixed words in blocks: the labels of hints by their style, of a prompt and of a specification, the name
 * of a tab, and the states of the box of a task.
 */
export type BlockWords = Record<
  'info' | 'success' | 'warning' | 'danger' | 'prompt' | 'tab' | 'specification' | 'checked' | 'unchecked',
  string
>;

/** `detail` is a size or a host. Without `href`, there is nothing to link to. */
export type RenderedLink = { title: string; href?: string; description?: string; detail?: string };

/** A part of a line of code; `color` is a class. */
export type CodeToken = { text: string; color?: string };
