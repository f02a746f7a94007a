import { textOfInline, type InlineText } from '../inline/readInline.ts';
import type { Reading } from '../reading.ts';
import type { XmlTag } from '../xml/readXml.ts';

/** Numbers of placeholders, as the export writes them. */
const number = /^\d{1,4}$/;

/** The name of a placeholder, if it is one of the export. */
export function placeholderName(tag: XmlTag, attribute: string): string | undefined {
  const name = tag.attribute(attribute);
  return name !== undefined && number.test(name) ? name : undefined;
}

/**
 * Reports a unit of XLIFF, or what is wrong with it.
 *
 * @param languageProblem  the reason why no unit of its file can be used
 */
export function reportUnit(
  { id, page, line }: { id: string; page: string; line: number },
  {
    source,
    target,
    languageProblem,
    found,
  }: {
    source: InlineText | undefined;
    target: InlineText | undefined;
    languageProblem: string | undefined;
    found: Reading['found'];
  },
): void {
  const problem =
    languageProblem ?? source?.problem ?? target?.problem ?? (source ? undefined : 'It has no source.');
  if (problem !== undefined || !source) {
    found({ id, line, problem: problem ?? '' });
    return;
  }
  const text = target && textOfInline(target, Number);
  found({
    id,
    source: textOfInline(source, Number),
    // Tools write an empty one for a unit that nobody has translated.
    target: text || undefined,
    page: page || undefined,
    line,
  });
}
