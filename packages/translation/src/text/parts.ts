/**
 * A piece of the text of a segment: words, or a numbered placeholder. A pair has two tags around its words;
 * an atom stands for something without words to translate.
 */
export type Part = string | { tag: 'open' | 'close' | 'atom'; id: number };

const tags = /<(?:g id="(\d{1,4})"|(\/g)|x id="(\d{1,4})"\/)>/y;
const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };

/**
 * Writes parts as one text: `Read <g id="1">the guide</g> of <x id="2"/>`. The characters `<`, `>` and `&` of
 * words become character references. The inline codes of XLIFF have this form, and engines that translate XML
 * keep it.
 */
export function textOfParts(parts: readonly Part[]): string {
  return parts.map(written).join('');
}

function written(part: Part): string {
  if (typeof part === 'string')
    return part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  if (part.tag === 'close') return '</g>';
  return part.tag === 'open' ? `<g id="${part.id}">` : `<x id="${part.id}"/>`;
}

/** Reads what `textOfParts` writes; undefined for any other text, such as one with pairs that do not nest. */
export function partsOfText(text: string): Part[] | undefined {
  const parts: Part[] = [];
  const open: number[] = [];
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf('<', at);
    const end = next < 0 ? text.length : next;
    if (end > at) {
      const words = wordsOf(text.slice(at, end));
      if (words === undefined) return undefined;
      parts.push(words);
    }
    if (next < 0) break;
    tags.lastIndex = next;
    const match = tags.exec(text);
    if (!match) return undefined;
    const [, opened, closed, atom] = match;
    if (opened !== undefined) open.push(Number(opened));
    const id = closed === undefined ? Number(opened ?? atom) : open.pop();
    if (id === undefined) return undefined;
    const opening = opened === undefined ? 'atom' : 'open';
    parts.push({ tag: closed ? 'close' : opening, id });
    at = tags.lastIndex;
  }
  return open.length > 0 ? undefined : parts;
}

function wordsOf(text: string): string | undefined {
  const unknown = text.replaceAll(/&(?:lt|gt|amp);/g, '');
  if (/[&>]/.test(unknown)) return undefined;
  return text.replaceAll(/&(?:lt|gt|amp);/g, (entity) => entities[entity] ?? entity);
}

/** Returns the words of parts without placeholders; a placeholder separates words. */
export function wordsOfParts(parts: readonly Part[]): string {
  return parts.map(wordOfPart).join('');
}

function wordOfPart(part: Part): string {
  if (typeof part === 'string') return part;
  return part.tag === 'atom' ? '\n' : '';
}
