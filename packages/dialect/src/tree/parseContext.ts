import type { DocumentBlock } from '@bindery/contract';
import type { Definition, FootnoteDefinition, Nodes } from 'mdast';
import type { SourceNode } from '../syntax/elements.ts';

/** What is the same for a whole page. */
export type Page = {
  footnotes: Map<string, { definition: FootnoteDefinition; source: string; isUsed: boolean }>;
  /** Notes of a name that another one has already. */
  repeated: FootnoteDefinition[];
  definitions: Map<string, Definition>;
  /** Reads what stands side by side as blocks; here so that a line of text can hold an annotation with blocks. */
  blocksOf(nodes: readonly SourceNode[], context: ParseContext): DocumentBlock[];
  /** Reads the children of a node of Markdown as blocks. */
  childrenOf(children: readonly Nodes[], source: string, context: ParseContext): DocumentBlock[];
};

/** What reading a part of a page depends on beside its text. */
export type ParseContext = {
  page: Page;
  /** Levels of JSON around it; the document is the first. */
  level: number;
  /** Whether text is text of HTML, where Markdown says nothing. */
  isHtml: boolean;
  /** Whether lines may begin with the `>` of a quote. */
  isQuoted: boolean;
  /** Whether the text was already read once more as Markdown. */
  isReread: boolean;
  /** Whether this is the body of an annotation, which has no annotations of its own. */
  isAnnotation: boolean;
};

/** What stands side by side, as blocks. */
export function blocksOf(nodes: readonly SourceNode[], context: ParseContext): DocumentBlock[] {
  return context.page.blocksOf(nodes, context);
}

export function deeper(context: ParseContext, levels: number): ParseContext {
  return { ...context, level: context.level + levels };
}
