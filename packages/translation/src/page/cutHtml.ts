import {
  isInlineElement,
  isKnownElement,
  placedTags,
  tokenizeHtml,
  withoutEntities,
  type PlacedToken,
} from '@bindery/dialect/source';
import { cutAttributes } from './attributes.ts';
import { tokenPiece } from './cutInlines.ts';
import type { PageCutter } from './cutter.ts';
import type { Boundary, Piece } from './pieces.ts';
import { pieceOf, placed, type PlacedText } from './place.ts';
import type { SegmentRole } from './segment.ts';
import { textPieces } from './textPieces.ts';

/** Elements whose content is code or has no words. */
const skipped: ReadonlySet<string> = new Set(
  'pre script style textarea title xmp svg math select iframe video audio'.split(' '),
);
const roles: Readonly<Record<string, SegmentRole>> = {
  td: 'cell',
  th: 'cell',
  figcaption: 'caption',
  summary: 'label',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
};
/** Elements in which text is never read as Markdown. */
const htmlOnly: ReadonlySet<string> = new Set(
  'table td th ul ol li p summary figcaption h1 h2 h3 h4 h5 h6'.split(' '),
);

type Surroundings = { name: string; isHtml: boolean; role: SegmentRole };

type HtmlContext = {
  cutter: PageCutter;
  /** The block stands in text that was already read as Markdown; Markdown is not read twice. */
  isReread: boolean;
  cutMarkdown: (piece: PlacedText, role: SegmentRole) => void;
};

/** Cuts a block of HTML. Text outside of elements such as cells is read as Markdown. */
export function cutHtml(html: PlacedText, context: HtmlContext): void {
  const { cutter } = context;
  const top: Surroundings = { name: '', isHtml: context.isReread, role: 'text' };
  const stack: Surroundings[] = [];
  let run: PlacedToken[] = [];
  let skippedName = '';
  const here = () => stack.at(-1) ?? top;
  const endRun = () => {
    if (run.length > 0) cutRun(run, { html, ...context, ...here() });
    run = [];
  };
  for (const token of tokensOf(html.text)) {
    if (skippedName !== '') {
      if (token.kind === 'close' && token.name === skippedName) skippedName = '';
      else if (token.kind === 'open' && token.name === 'option')
        cutAttributes(token, pieceOf(html, { start: token.at, end: token.at + token.raw.length }), cutter);
      continue;
    }
    if (token.kind === 'text' || isInline(token)) {
      run.push(token);
      continue;
    }
    endRun();
    const { name, form } = token;
    cutter.addHeadingTag(token, html.at(token.at));
    if (token.kind === 'close') {
      const index = stack.findLastIndex((element) => element.name === name);
      if (index >= 0) stack.length = index;
      continue;
    }
    cutAttributes(token, pieceOf(html, { start: token.at, end: token.at + token.raw.length }), cutter);
    if (form === 'element' && skipped.has(name) && !token.isVoid) skippedName = name;
    else if (!token.isVoid) stack.push(inside(token, here()));
  }
  endRun();
}

function isInline({ form, name }: Extract<PlacedToken, { form: unknown }>): boolean {
  return form === 'element' && !skipped.has(name) && (isInlineElement(name) || !isKnownElement(name));
}

function inside(
  { name, form, attributes }: Extract<PlacedToken, { kind: 'open' }>,
  { isHtml, role }: Surroundings,
): Surroundings {
  const isMarkdown = form === 'tag' || name === 'details' || attributes.has('data-gb-custom-block');
  return {
    name,
    isHtml: !isMarkdown && (isHtml || htmlOnly.has(name)),
    role: roles[name] ?? role,
  };
}

/** The tags, elements and texts of HTML; in code, the tags of the dialect are text. */
function tokensOf(html: string): PlacedToken[] {
  let codeDepth = 0;
  return tokenizeHtml(html).flatMap((token) => {
    if (token.kind === 'text') {
      if (codeDepth > 0 || !token.raw.includes('{%')) return [token];
      return placedTags(token.raw).map((part) => ({ ...part, at: token.at + part.at }));
    }
    if (token.name === 'pre' || token.name === 'code')
      codeDepth = Math.max(0, codeDepth + (token.kind === 'open' ? 1 : -1));
    return [token];
  });
}

type Run = Pick<Surroundings, 'isHtml' | 'role'> & HtmlContext & { html: PlacedText };

function cutRun(run: readonly PlacedToken[], { html, cutter, cutMarkdown, isHtml, role }: Run): void {
  const [first, last] = [run[0], run.at(-1)];
  if (!first || !last) return;
  const hasText = run.some((token) => token.kind === 'text' && token.raw.trim() !== '');
  if (!isHtml && hasText) {
    cutMarkdown(pieceOf(html, { start: first.at, end: last.at + last.raw.length }), role);
    return;
  }
  const pieces = run.flatMap((token): (Piece | Boundary)[] => {
    const slice = placed({ start: token.at, end: token.at + token.raw.length }, html);
    if (token.kind !== 'text') return [tokenPiece(token, slice, cutter)];
    const text = withoutEntities(token.raw).replaceAll(/[ \t\r\n\f]+/g, ' ');
    return textPieces(text, { slice, source: cutter.source });
  });
  cutter.add(pieces, { role, form: 'html' });
}
