import type { Nodes, Parent, Root } from 'mdast';
import type { BlockTags } from './blockTags.ts';
import { tokenizeHtml, tokenizeTags, type Token } from './tokens.ts';
import { rangeOf, sourceOfNode } from './sourceOfNode.ts';

/** The syntax of a flow. */
type FlowSyntax = {
  tags: BlockTags;
  parseMarkdown(source: string): Root;
  /** Whether lines may begin with the `>` of a quote. */
  isQuoted: boolean;
};

/**
 * Splits the children of a Markdown node into tokens: at block tags and HTML, also in the middle of a
 * paragraph.
 */
export function tokenizeFlow(children: readonly Nodes[], source: string, syntax: FlowSyntax): Token[] {
  const mayHoldTags = source.includes('{%');
  const tokens: Token[] = [];
  for (const node of children) {
    if (node.type === 'blockTag') tokens.push(...lineOfTags(node.value, syntax));
    else if (node.type === 'html') tokens.push(...htmlWithTags(node.value, syntax));
    else if (mayHoldTags && node.type === 'paragraph' && hasTag(node, source))
      tokens.push(...paragraphWithTags(node, source, syntax));
    else tokens.push({ kind: 'node', node, source });
  }
  return tokens;
}

function lineOfTags(line: string, syntax: FlowSyntax): Token[] {
  return tokenizeTags(line, syntax.tags.isTag).flatMap((token) =>
    token.kind === 'text' ? markdownTokens(token.raw, { ...syntax, isQuoted: false }) : [token],
  );
}

function htmlWithTags(html: string, { tags }: FlowSyntax): Token[] {
  const tokens = tokenizeHtml(html);
  if (!html.includes('{%')) return tokens;
  let codeDepth = 0;
  return tokens.flatMap((token) => {
    if (token.kind === 'text')
      return codeDepth > 0 || !token.raw.includes('{%') ? [token] : tokenizeTags(token.raw, tags.isTag);
    if (token.name === 'pre' || token.name === 'code') {
      codeDepth = Math.max(0, codeDepth + (token.kind === 'open' ? 1 : -1));
    }
    return [token];
  });
}

function hasTag(node: Nodes, source: string): boolean {
  return sourceOfNode(node, source).includes('{%');
}

/**
 * Recognizes a tag in a paragraph only at the start of a line, or a closing tag at the end of a line, because
 * texts may mention tags.
 */
function paragraphWithTags(node: Parent & Nodes, source: string, syntax: FlowSyntax): Token[] {
  const raw = sourceOfNode(node, source);
  const [from] = rangeOf(node) ?? [0];
  const code = codeSpans(node).map(([start, end]) => [start - from, end - from] as const);
  const isInCode = (at: number) => code.some(([start, end]) => at > start && at < end);
  let at = 0;
  const tokens: Token[] = [];
  let held = '';
  const all = tokenizeTags(raw, syntax.tags.isTag);
  for (const [index, token] of all.entries()) {
    const next = all[index + 1];
    const startsLine = /(?:^|\n[ \t>]*)$/.test(held) || (held === '' && tokens.at(-1)?.kind !== 'node');
    const endsLine = next === undefined || next.kind !== 'text' || /^[ \t]*(?:\r?\n|$)/.test(next.raw);
    const counts = token.kind === 'open' ? startsLine : token.kind === 'close' && (endsLine || startsLine);
    if (counts && !isInCode(at) && raw[at - 1] !== '\\') {
      tokens.push(...markdownTokens(held, syntax), token);
      held = '';
    } else if (token.kind !== 'node') held += token.raw;
    if (token.kind !== 'node') at += token.raw.length;
  }
  if (tokens.length === 0) return [{ kind: 'node', node, source }];
  return [...tokens, ...markdownTokens(held, syntax)];
}

function codeSpans(node: Nodes): [number, number][] {
  if (node.type === 'inlineCode' || node.type === 'inlineMath') {
    const range = rangeOf(node);
    return range ? [range] : [];
  }
  return 'children' in node ? node.children.flatMap(codeSpans) : [];
}

/** Parses the text beside tags as separate Markdown. */
function markdownTokens(raw: string, { isQuoted, parseMarkdown }: FlowSyntax): Token[] {
  const lines = isQuoted ? raw.replaceAll(/^[ \t]*(?:>[ \t]?)+/gm, '') : raw;
  const source = lines.replaceAll(/^[ \t]+/gm, '').trim();
  if (source === '') return [];
  return parseMarkdown(source).children.flatMap((node): Token[] =>
    node.type === 'html' ? tokenizeHtml(node.value) : [{ kind: 'node', node, source }],
  );
}
