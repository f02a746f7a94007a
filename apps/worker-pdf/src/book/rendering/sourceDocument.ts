import type { DocumentTree } from '@bindery/contract';

const maxCharacters = 200_000;
const maxLines = 5_000;

type Block = DocumentTree['nodes'][number];

/** A document for a page that cannot be printed as it is: its source, below a note that says why. */
export function sourceDocument(markdown: string, why: string): DocumentTree {
  const text = markdown.slice(0, maxCharacters).replaceAll('\0', '\uFFFD').toWellFormed();
  const lines = text.split('\n').slice(0, maxLines);
  const isCut = markdown.length > maxCharacters || text.split('\n', maxLines + 1).length > maxLines;
  const { nodes } = noteDocument(`Printed as its source${isCut ? ', without its end' : ''}. ${why}`);
  const source: Block = {
    object: 'block',
    type: 'code',
    key: 'source',
    data: {},
    nodes: lines.map((line, index) => block('code-line', `source.${index}`, line)),
  };
  return { object: 'document', data: { schemaVersion: 1 }, nodes: [...nodes, source] };
}

/** A document that only says something about its page. */
export function noteDocument(text: string): DocumentTree {
  const note: Block = {
    object: 'block',
    type: 'hint',
    key: 'note',
    data: { style: 'warning' },
    nodes: [block('paragraph', 'note.1', text)],
  };
  return { object: 'document', data: { schemaVersion: 1 }, nodes: [note] };
}

function block(type: 'paragraph' | 'code-line', key: string, text: string): Block {
  const leaves = [{ object: 'leaf' as const, text, marks: [] }];
  return { object: 'block', type, key, nodes: [{ object: 'text', key: `${key}.text`, leaves }] };
}
