import { textOfParts } from '@bindery/translation';
import { writeInline } from '../inline/writeInline.ts';
import type { ExchangePair, ExchangeUnit, Units } from '../unit.ts';
import { escapeAttribute, escapeText } from '../xml/escapeXml.ts';
import { inPieces } from '../xml/inPieces.ts';

/** Writes a memory of translations as TMX 1.4b. Units without a translation are left out. */
export function writeTmx(units: Units, pair: ExchangePair): AsyncGenerator<string> {
  return inPieces(linesOf(units, pair));
}

async function* linesOf(units: Units, pair: ExchangePair): AsyncGenerator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4">
<header creationtool="Bindery" creationtoolversion="1" segtype="paragraph" o-tmf="Bindery" adminlang="en" srclang="${escapeAttribute(pair.source)}" datatype="xml"/>
<body>
`;
  for await (const unit of units) if (unit.target !== undefined) yield unitOf(unit, unit.target, pair);
  yield '</body>\n</tmx>\n';
}

function unitOf({ id, source, role, state }: ExchangeUnit, target: string, pair: ExchangePair): string {
  const properties = [propertyOf('x-role', role), propertyOf('x-state', state)].join('');
  const variants = variantOf(pair.source, source) + variantOf(pair.target, target);
  return `<tu tuid="${escapeAttribute(id)}">${properties}\n${variants}</tu>\n`;
}

function propertyOf(type: string, value: string | undefined): string {
  return value === undefined ? '' : `<prop type="${type}">${escapeText(value)}</prop>`;
}

function variantOf(language: string, text: string): string {
  return `<tuv xml:lang="${escapeAttribute(language)}"><seg>${segmentOf(text)}</seg></tuv>\n`;
}

function segmentOf(text: string): string {
  return writeInline(text, (placeholder) => {
    const { tag, id } = placeholder;
    // The content shows in tools that know nothing of these placeholders.
    const shown = escapeText(textOfParts([placeholder]));
    if (tag === 'atom') return `<ph x="${id}">${shown}</ph>`;
    return tag === 'open' ? `<bpt i="${id}" x="${id}">${shown}</bpt>` : `<ept i="${id}">${shown}</ept>`;
  });
}
