import { emptyDocument, type DocumentTree } from '@bindery/contract';

const maxText = 200_000;
const note = 'This page takes too long to read, so it is shown as its source.';

type Block = DocumentTree['nodes'][number];

/** A document for a text that could not be parsed in time: its source, below a note that says so. */
export function asSource(markdown: string): DocumentTree {
  const text = markdown.slice(0, maxText).replaceAll('\0', '\uFFFD').toWellFormed();
  const hint: Block = {
    object: 'block',
    type: 'hint',
    key: 'note',
    data: { style: 'warning' },
    nodes: [paragraph('note.1', note)],
  };
  return { ...emptyDocument, nodes: [hint, paragraph('source', text)] };
}

function paragraph(key: string, text: string): Block {
  const leaves = [{ object: 'leaf' as const, text, marks: [] }];
  return { object: 'block', type: 'paragraph', key, nodes: [{ object: 'text', key: `${key}.text`, leaves }] };
}
