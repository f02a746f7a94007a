import type { PageElement, PageNode } from './settle.ts';

const empty: ReadonlySet<string> = new Set(['img', 'br', 'hr', 'col']);
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Writes nodes as HTML, with all text escaped. `inserted` writes the place of a library's markup. */
export function writeHtml(nodes: readonly PageNode[], inserted: (index: number) => string): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return escaped(node);
      if ('inserted' in node) return inserted(node.inserted);
      const open = `<${node.name}${attributesOf(node)}>`;
      return empty.has(node.name) ? open : `${open}${writeHtml(node.children, inserted)}</${node.name}>`;
    })
    .join('');
}

function attributesOf({ attributes }: PageElement): string {
  return Object.entries(attributes)
    .map(([key, value]) => {
      const isOmitted = value === undefined || value === false || (value === '' && key !== 'alt');
      if (isOmitted) return '';
      if (value === true) return ` ${key}`;
      const text = escaped(String(value));
      return key === 'width' ? ` style="width:${text}"` : ` ${key}="${text}"`;
    })
    .join('');
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
