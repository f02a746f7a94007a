import type { Medium } from '../face.ts';
import type { PageElement, PageNode } from './settle.ts';

const empty: ReadonlySet<string> = new Set(['img', 'br', 'hr', 'col']);
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** `place` writes the place of a library's markup. */
type Writing = { place: (index: number) => string; medium: Medium };

/** Writes nodes as HTML, with all text escaped. */
export function writeHtml(nodes: readonly PageNode[], writing: Writing): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return escaped(node);
      if ('inserted' in node) return writing.place(node.inserted);
      const open = `<${node.name}${attributesOf(node, writing.medium)}>`;
      return empty.has(node.name) ? open : `${open}${writeHtml(node.children, writing)}</${node.name}>`;
    })
    .join('');
}

function attributesOf({ name, attributes }: PageElement, medium: Writing['medium']): string {
  return Object.entries(attributes)
    .map(([key, value]) => {
      const isOmitted = value === undefined || value === false || (value === '' && key !== 'alt');
      if (isOmitted) return '';
      if (value === true) return ` ${key}`;
      const text = escaped(String(value));
      if (key === 'width') return medium === 'paper' ? ` style="width:${text}"` : widthOnScreen(text, name);
      return ` ${key}="${text}"`;
    })
    .join('');
}

/**
 * The policy of a site permits no styles in attributes. A share of the width is rounded to a step that the
 * style sheet knows.
 */
function widthOnScreen(width: string, name: string): string {
  const number = Number.parseFloat(width);
  if (width.endsWith('%')) return ` data-width="${Math.min(100, Math.max(5, Math.round(number / 5) * 5))}"`;
  return name === 'img' ? ` width="${Math.round(number)}"` : '';
}

/** Browsers replace U+0000 and lone surrogates, so what is read would not be what was written. */
function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- no HTML may contain these
      .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]/g, '')
      .replaceAll(/[&<>"]/g, (letter) => escapes[letter] ?? letter)
  );
}
