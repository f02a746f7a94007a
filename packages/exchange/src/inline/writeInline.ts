import { partsOfText, type Part } from '@bindery/translation';
import { escapeText } from '../xml/escapeXml.ts';

type Placeholder = Exclude<Part, string>;

/**
 * Writes a text with placeholders as the content of an element.
 *
 * @param text  as `textOfParts` writes it; any other is written as it stands
 * @param writePlaceholder  makes the tag of a placeholder
 */
export function writeInline(text: string, writePlaceholder: (placeholder: Placeholder) => string): string {
  return (partsOfText(text) ?? [text])
    .map((part) => (typeof part === 'string' ? escapeText(part) : writePlaceholder(part)))
    .join('');
}
