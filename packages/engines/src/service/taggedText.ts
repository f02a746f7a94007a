import { partsOfText, textOfParts } from '@bindery/translation';

const tag = /<(?:g id="\d{1,4}"|\/g|x id="(\d{1,4})" ?(?:\/|><\/x)?)>/g;

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/**
 * Reads a text of a service that was sent in the form of `textOfParts`. All that is no placeholder is text:
 * what a service adds reaches a page escaped, if the checks let it pass.
 *
 * @returns the same form; undefined when pairs do not nest
 */
export function readTagged(answer: string): string | undefined {
  const parts = partsOfText(asWeWrite(answer));
  return parts && textOfParts(parts);
}

/** Writes the placeholders of an answer, and the words between them, in the form of `textOfParts`. */
function asWeWrite(answer: string): string {
  const wordsIn = (start: number, end?: number) => textOfParts([decoded(answer.slice(start, end))]);
  let text = '';
  let at = 0;
  for (const match of answer.matchAll(tag)) {
    const [placeholder, atom] = match;
    text += wordsIn(at, match.index) + (atom === undefined ? placeholder : `<x id="${atom}"/>`);
    at = match.index + placeholder.length;
  }
  return text + wordsIn(at);
}

const decoded = (text: string) =>
  text.replaceAll(
    /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (entity, name, digits, hex) => {
      if (name !== undefined) return entities[String(name).toLowerCase()] ?? entity;
      const code = digits === undefined ? Number.parseInt(String(hex), 16) : Number(digits);
      const isCharacter = code >= 0x20 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff);
      return isCharacter ? String.fromCodePoint(code) : entity;
    },
  );

/** Removes characters that no XML may hold. */
export function withoutControls(text: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what it removes
  return text.toWellFormed().replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '');
}
