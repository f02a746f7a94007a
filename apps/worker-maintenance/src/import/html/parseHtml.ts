import { textOf } from './elements.ts';
import { htmlParser, type Element, type Root } from './htmlTree.ts';

/**
 * Deeper than any page written by people. Markdown output is recursive, and for some elements takes time that
 * grows with the cube of the depth.
 */
const maxDepth = 128;

/**
 * Parses HTML as browsers do. Deep nesting is replaced with its text: below `maxDepth`, or in the whole page
 * if even parsing it would exhaust the stack.
 *
 * @param onTooDeep  called in either case
 */
export function parseHtml(html: string, onTooDeep: () => void = () => {}): Root {
  try {
    const root = htmlParser.parse(html);
    if (flatten(root)) onTooDeep();
    return root;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    onTooDeep();
    return htmlParser.parse(withoutNesting(html));
  }
}

export const tooDeepMessage =
  'The page nests its elements too deeply; that part of it is imported as plain text.';

function flatten(root: Root): boolean {
  let isChanged = false;
  const open: { parent: Root | Element; depth: number }[] = [{ parent: root, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { parent, depth } = next;
    for (const child of parent.children) {
      if (child.type !== 'element') continue;
      if (depth < maxDepth) open.push({ parent: child, depth: depth + 1 });
      else if (child.children.some(({ type }) => type === 'element')) {
        child.children = [{ type: 'text', value: textOf(child) }];
        isChanged = true;
      }
    }
  }
  return isChanged;
}

const breaking = new Set(
  'address article aside blockquote br dd div dl dt footer form header hr li main nav ol p pre section table td th tr ul'.split(
    ' ',
  ),
);
const kept = new Set('title h1 h2 h3 h4 h5 h6'.split(' '));
const withoutWords = new Set(['script', 'style', 'noscript', 'template']);

/**
 * Extracts the words of a page, in paragraphs and under its headings. Reads only tags, so that nesting does
 * not matter.
 */
function withoutNesting(html: string): string {
  let words = '';
  let hidden: string | undefined;
  for (const [index, part] of html.split('<').entries()) {
    const [, slash = '', name = ''] = index === 0 ? [] : (/^(\/?)([a-z][a-z0-9]{0,30})/i.exec(part) ?? []);
    const tag = name.toLowerCase();
    if (hidden !== undefined && (hidden !== tag || slash === '')) continue;
    hidden = slash === '' && withoutWords.has(tag) ? tag : undefined;
    if (hidden !== undefined) continue;
    if (kept.has(tag)) words += `<${slash}${tag}>`;
    else if (breaking.has(tag)) words += '<p>';
    // A comment, or a `<` that begins no tag.
    const end = part.indexOf('>');
    words +=
      index > 0 && (tag !== '' || part.startsWith('!') || part.startsWith('/'))
        ? part.slice(end < 0 ? part.length : end + 1)
        : part;
  }
  return words;
}
