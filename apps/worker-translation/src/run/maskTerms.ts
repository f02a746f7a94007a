import { partsOfText, textOfParts, type Part, type Term } from '@bindery/translation';

/** Placeholders of terms have numbers that no segment has. */
const firstId = 9_000;

/**
 * Makes the glossary terms of a text placeholders, for an engine that knows no glossary. `unmaskTerms` writes
 * them in the other language.
 */
export function maskTerms(text: string, terms: readonly Term[]): string {
  if (terms.length === 0) return text;
  const masked = (partsOfText(text) ?? []).flatMap((part): Part[] =>
    typeof part === 'string' ? withTermsMasked(part, terms) : [part],
  );
  return textOfParts(masked);
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

function withTermsMasked(text: string, terms: readonly Term[]): Part[] {
  let parts: Part[] = [text];
  for (const [index, { source }] of terms.entries()) {
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(source)}(?![\\p{L}\\p{N}])`, 'giu');
    parts = parts.flatMap((part): Part[] => {
      if (typeof part !== 'string') return [part];
      return part
        .split(pattern)
        .flatMap((words, at): Part[] => [
          ...(at > 0 ? [{ tag: 'atom' as const, id: firstId + index }] : []),
          words,
        ])
        .filter((piece) => piece !== '');
    });
  }
  return parts;
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
