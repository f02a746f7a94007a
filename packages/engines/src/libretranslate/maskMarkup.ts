import { partsOfText, textOfParts, type Part } from '@bindery/translation';

/** Matches characters that a service would unescape into a tag or another character. */
const markup = /<[^<>]*>|[<>]|&#?\w{1,32};/g;

const maxId = 9_999;

/**
 * Makes the markup among the words of a text placeholders: LibreTranslate answers `&lt;g id="1"&gt;` as
 * `<g id="1">`, which nobody could tell from a tag of ours.
 *
 * @returns undefined for a text with more markup than there are numbers
 */
export function maskMarkup(text: string): { text: string; masked: ReadonlyMap<number, string> } | undefined {
  const parts = partsOfText(text);
  if (!parts) return undefined;
  const masked = new Map<number, string>();
  let id = Math.max(0, ...parts.map((part) => (typeof part === 'string' ? 0 : part.id)));
  const sent = parts.flatMap((part): Part[] => {
    if (typeof part !== 'string') return [part];
    const pieces: Part[] = [];
    let at = 0;
    for (const { 0: found, index } of part.matchAll(markup)) {
      if (index > at) pieces.push(part.slice(at, index));
      masked.set((id += 1), found);
      pieces.push({ tag: 'atom', id });
      at = index + found.length;
    }
    if (at < part.length) pieces.push(part.slice(at));
    return pieces;
  });
  return id > maxId ? undefined : { text: textOfParts(sent), masked };
}

/** Writes the markup again that `maskMarkup` has replaced. */
export function unmaskMarkup(text: string, masked: ReadonlyMap<number, string>): string {
  if (masked.size === 0) return text;
  return textOfParts(
    (partsOfText(text) ?? []).map((part) =>
      typeof part === 'string' || part.tag !== 'atom' ? part : (masked.get(part.id) ?? part),
    ),
  );
}
