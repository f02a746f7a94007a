import { writeInline } from '../inline/writeInline.ts';
import type { ExchangePair, ExchangeUnit, Units } from '../unit.ts';
import { escapeAttribute } from '../xml/escapeXml.ts';
import { inPieces } from '../xml/inPieces.ts';
import { writeFiles } from './files.ts';
import { statesOf21 } from './states.ts';

/** Writes units as XLIFF 2.1, with a file for each page. */
export function writeXliff21(units: Units, pair: ExchangePair): AsyncGenerator<string> {
  return inPieces(linesOf(units, pair));
}

async function* linesOf(units: Units, pair: ExchangePair): AsyncGenerator<string> {
  const languages = `srcLang="${escapeAttribute(pair.source)}" trgLang="${escapeAttribute(pair.target)}"`;
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" ${languages}>\n`;
  yield* writeFiles(units, {
    open: (page, number) =>
      `<file id="f${number}" original="${escapeAttribute(page)}" xml:space="preserve">\n`,
    close: '</file>\n',
    // A file has to contain a unit or a group.
    none: '<file id="f1">\n<group id="none"/>\n</file>\n',
    unit: unitOf,
  });
  yield '</xliff>\n';
}

function unitOf({ id, role, source, target, state }: ExchangeUnit): string {
  const type = role === undefined ? '' : ` type="bindery:${escapeAttribute(role)}"`;
  const attributes = state === undefined ? '' : ` ${statesOf21[state]}`;
  const written = target === undefined ? '' : `<target>${inlineOf(target)}</target>\n`;
  return `<unit id="${escapeAttribute(id)}"${type}>
<segment${attributes}>
<source>${inlineOf(source)}</source>
${written}</segment>
</unit>
`;
}

function inlineOf(text: string): string {
  return writeInline(text, ({ tag, id }) => {
    if (tag === 'atom') return `<ph id="${id}"/>`;
    return tag === 'open' ? `<pc id="${id}">` : '</pc>';
  });
}
