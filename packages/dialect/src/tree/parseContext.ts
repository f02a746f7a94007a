import type { DocumentBlock } from '@bindery/contract';
import type { Definition, FootnoteDefinition, Nodes } from 'mdast';
import type { SourceNode } from '../syntax/elements.ts';

/** The state shared by a whole page. */
export type Page = {
  footnotes: Map<string, { definition: FootnoteDefinition; source: string; isUsed: boolean }>;
  /** Footnotes with the name of an earlier one. */
  repeated: FootnoteDefinition[];
  definitions: Map<string, Definition>;
  /** Reads sibling nodes as blocks; here so that a line of text can contain an annotation with blocks. */
  blocksOf(nodes: readonly SourceNode[], context: ParseContext): DocumentBlock[];
  /** Reads the children of a Markdown node as blocks. */
  childrenOf(children: readonly Nodes[], source: string, context: ParseContext): DocumentBlock[];
};

/** The parse context of a part of a page. */
export type ParseContext = {
  page: Page;
  /** The number of JSON levels around it; the document is the first. */
  level: number;
  /** Whether text is in HTML, where Markdown has no effect. */
  isHtml: boolean;
  /** Whether lines may begin with the `>` of a quote. */
  isQuoted: boolean;
  /** Whether the text was already parsed again as Markdown. */
  isReread: boolean;
  /** Whether this is the body of an annotation, which has no annotations of its own. */
  isAnnotation: boolean;
};

/** Reads sibling nodes as blocks. */
export function blocksOf(nodes: readonly SourceNode[], context: ParseContext): DocumentBlock[] {
  return context.page.blocksOf(nodes, context);
}

export function deeper(context: ParseContext, levels: number): ParseContext {
  return { ...context, level: context.level + levels };
}
