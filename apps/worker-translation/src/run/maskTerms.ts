import { partsOfText, textOfParts, type Part, type Term } from '@bindery/translation';

/** Placeholders of terms have numbers that no segment has. */
const firstId = 9_000;
/** Numbers of placeholders have four digits. */
const maxMasked = 1_000;

/** Its group is the term. `idOf` has the placeholders of terms in small letters. */
type Masks = { pattern: RegExp; idOf: ReadonlyMap<string, number> };

/**
 * Makes the glossary terms of a text placeholders, for an engine that knows no glossary. `unmaskTerms` writes
 * them in the other language.
 */
export function maskTerms(text: string, terms: readonly Term[]): string {
  if (terms.length === 0) return text;
  const masks = masksOf(terms);
  const masked = (partsOfText(text) ?? []).flatMap((part): Part[] =>
    typeof part === 'string' ? withTermsMasked(part, masks) : [part],
  );
  return textOfParts(joined(masked));
}

/** Replaces the placeholders of terms by the terms of the other language. */
export function unmaskTerms(text: string, terms: readonly Term[]): string {
  const parts = partsOfText(text);
  if (!parts || terms.length === 0) return text;
  const written = parts.map((part): Part => {
    if (typeof part === 'string' || part.tag !== 'atom' || part.id < firstId) return part;
    return terms[part.id - firstId]?.target ?? part;
  });
  return textOfParts(joined(written));
}

/** A term inside of a longer one that occurs here too is a part of that one, as `termsIn` has it. */
function withTermsMasked(part: string, { pattern, idOf }: Masks): Part[] {
  return part
    .split(pattern)
    .flatMap((words, at): Part[] => {
      const id = at % 2 === 1 ? idOf.get(words.toLowerCase()) : undefined;
      return [id === undefined ? words : { tag: 'atom', id }];
    })
    .filter((piece) => piece !== '');
}

/** Finds all terms in one pass: a text may have thousands. */
function masksOf(terms: readonly Term[]): Masks {
  const sources = terms.slice(0, maxMasked).map(({ source }) => source);
  const longestFirst = sources.toSorted((one, other) => other.length - one.length);
  const alternatives = longestFirst.map((source) => RegExp.escape(source)).join('|');
  return {
    pattern: new RegExp(`(?<![\\p{L}\\p{N}])(${alternatives})(?![\\p{L}\\p{N}])`, 'giu'),
    idOf: new Map(sources.map((source, index) => [source.toLowerCase(), firstId + index])),
  };
}

function joined(parts: readonly Part[]): Part[] {
  const result: Part[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (typeof part === 'string' && typeof last === 'string') result[result.length - 1] = last + part;
    else result.push(part);
  }
  return result;
}
