import type { DocumentBlock, DocumentNode } from '@bindery/contract';
import { htmlOfInlines } from '../../inline/writeHtml.ts';
import { escapedHtml, htmlElement, wordIn } from '../../syntax/writeTags.ts';
import type { WriteContext } from '../../tree/writeContext.ts';

/** Writes code with highlighted or annotated lines in GitBook's HTML form, which keeps its line breaks. */
export function htmlOfCode({ data = {}, nodes = [] }: DocumentBlock, context: WriteContext): string {
  const syntax = wordIn(data, 'syntax');
  const lines = nodes.map((line) => {
    const text = `${line.object === 'block' ? htmlOfCodeLine(line.nodes ?? [], context) : ''}\n`;
    return line.object === 'block' && line.data?.['highlighted'] === true
      ? htmlElement('strong', text)
      : text;
  });
  // HTML ignores a line break directly after the tag.
  if (lines[0] === '\n') lines.unshift('\n');
  const code = htmlElement('code', lines.join(''), { class: syntax === '' ? undefined : `lang-${syntax}` });
  return htmlElement('pre', code, {
    class: syntax === '' ? undefined : `language-${syntax}`,
    'data-title': data['title'] as string | undefined,
    'data-overflow': data['overflow'] as string | undefined,
    'data-line-numbers': data['lineNumbers'] === true,
    'data-full-width': data['fullWidth'] === true ? 'true' : undefined,
    'data-expandable': data['expandable'] === true ? 'true' : undefined,
    'data-collapsed-line-count': data['collapsedLineCount'] as number | undefined,
  });
}

function htmlOfCodeLine(nodes: readonly DocumentNode[], context: WriteContext): string {
  return nodes
    .map((node) => {
      if (node.object === 'text')
        return escapedHtml(
          node.leaves
            .map(({ text }) => text)
            .join('')
            .replaceAll(/[\r\n]+/g, ' '),
        );
      return htmlOfInlines([node], context);
    })
    .join('');
}
