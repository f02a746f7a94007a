import { leadsOutside } from '@bindery/contract/linkTarget';
import { unescaped } from '../syntax/commonMark.ts';

const maxTargetLength = 4096;
const maxStrayCount = 1000;
const attribute =
  /\b(src|href|srcset|poster|url)\s{0,9}=\s{0,9}(?:"([^"\n]*)"|'([^'\n]*)'|["']?([^\s"'>]+))/gi;

/**
 * Yields the targets of links and images in Markdown and HTML, and of attributes of block tags such as `{%
 * file src="..." %}`: the text after `](`, `src=`, `href=`, `srcset=`, `poster=` and `url=`, with escapes
 * removed. Finds more than a parser would, in linear time.
 */
export function* extractTargets(text: string): Iterable<string> {
  let strayCount = 0;
  let position = text.indexOf('](');
  while (position >= 0) {
    const { target, end } = destinationAt(text, position + 2);
    if (target) yield target;
    // The text after a stray `](` may contain a link, but searching it repeatedly would not be linear.
    const isStray = target === '' || !/^\s{0,9}["'()]/.test(text.slice(end, end + 10));
    if (isStray) strayCount += 1;
    position = text.indexOf('](', isStray && strayCount <= maxStrayCount ? position + 2 : end);
  }
  for (const [, name = '', double, single, bare] of text.matchAll(attribute)) {
    const value = double ?? single ?? bare ?? '';
    // Word processors insert typographic quotes.
    for (const part of name.toLowerCase() === 'srcset' ? sourcesOf(value) : [value])
      yield unescaped(part).replaceAll(/[“”]/g, '').trim();
  }
}

/**
 * Tells whether a target can be a file of the repository other than a page: no URL, no anchor, no Markdown.
 */
export function mayNameFile(target: string): boolean {
  if (target === '' || target.length > maxTargetLength || target.startsWith('#') || leadsOutside(target))
    return false;
  // oxlint-disable-next-line no-control-regex -- finds control characters
  if (/[\u0000-\u001f]/.test(target)) return false;
  // GitBook's target for a broken link.
  if (target.startsWith('/broken/') || target === 'broken-reference') return false;
  const path = target.split(/[?#]/, 1)[0] ?? '';
  return path !== '' && !path.endsWith('/') && !/^\.{1,2}$/.test(path) && !/\.(?:md|markdown)$/i.test(path);
}

/**
 * Reads a link destination by the rules of CommonMark: in angle brackets, or without white space and with
 * balanced parentheses.
 */
function destinationAt(text: string, from: number): { target: string; end: number } {
  let start = from;
  while (start < from + 100 && /[ \t\n]/.test(text[start] ?? '')) start += 1;
  const limit = Math.min(text.length, start + maxTargetLength);
  if (text[start] === '<') {
    for (
      let position = start + 1;
      position < limit && text[position] !== '\n' && text[position] !== '<';
      position += 1
    ) {
      if (text[position] === '\\') position += 1;
      else if (text[position] === '>')
        return { target: unescaped(text.slice(start + 1, position)), end: position + 1 };
    }
    return { target: '', end: from };
  }
  let open = 0;
  let position = start;
  for (; position < limit; position += 1) {
    const letter = text[position] as string;
    if (letter === '\\') position += 1;
    else if (letter <= ' ') break;
    else if (letter === '(') open += 1;
    else if (letter === ')' && (open -= 1) < 0) break;
  }
  return { target: open > 0 ? '' : unescaped(text.slice(start, position)), end: Math.max(from, position) };
}

function sourcesOf(srcset: string): string[] {
  return srcset.split(',').map((source) => source.trim().split(/\s/, 1)[0] ?? '');
}
