import { writeInline } from '../inline/writeInline.ts';
import type { ExchangePair, ExchangeUnit, Units } from '../unit.ts';
import { escapeAttribute } from '../xml/escapeXml.ts';
import { inPieces } from '../xml/inPieces.ts';
import { writeFiles } from './files.ts';
import { statesOf12 } from './states.ts';

/** Writes units as XLIFF 1.2, with a file for each page. */
export function writeXliff12(units: Units, pair: ExchangePair): AsyncGenerator<string> {
  return inPieces(linesOf(units, pair));
}

async function* linesOf(units: Units, pair: ExchangePair): AsyncGenerator<string> {
  const languages = `source-language="${escapeAttribute(pair.source)}" target-language="${escapeAttribute(pair.target)}"`;
  const open = (page: string) =>
    `<file original="${escapeAttribute(page)}" ${languages} datatype="x-markdown">\n<body>\n`;
  const close = '</body>\n</file>\n';
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2">\n';
  yield* writeFiles(units, {
    ...{ open, close, none: open('') + close },
    unit: (unit) => unitOf(unit, pair),
  });
  yield '</xliff>\n';
}

function unitOf({ id, role, source, target, state }: ExchangeUnit, pair: ExchangePair): string {
  const type = role === undefined ? '' : ` restype="x-${escapeAttribute(role)}"`;
  const approved = state === 'human' ? ' approved="yes"' : '';
  const attributes = state === undefined || state === 'kept' ? '' : ` ${statesOf12[state]}`;
  const [from, into] = [pair.source, pair.target].map(
    (language) => `xml:lang="${escapeAttribute(language)}"`,
  );
  const written = target === undefined ? '' : `<target ${into}${attributes}>${inlineOf(target)}</target>\n`;
  return `<trans-unit id="${escapeAttribute(id)}"${type}${approved} xml:space="preserve">
<source ${from}>${inlineOf(source)}</source>
${written}</trans-unit>
`;
}

function inlineOf(text: string): string {
  return writeInline(text, ({ tag, id }) => {
    if (tag === 'atom') return `<x id="${id}"/>`;
    return tag === 'open' ? `<g id="${id}">` : '</g>';
  });
}
