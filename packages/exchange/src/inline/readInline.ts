import { textOfParts } from '@bindery/translation';
import type { ExchangeLimits } from '../limits.ts';
import { withoutIllegalCharacters } from '../xml/escapeXml.ts';
import type { XmlElement, XmlTag } from '../xml/readXml.ts';

/** The kind of a tag within a text. `name` tells placeholders of one text apart. */
export type InlineTag =
  /** A pair around the content of the element. */
  | { kind: 'pair'; name: string }
  /** One of the two ends of a pair; both have the same name. */
  | { kind: 'open' | 'close'; name: string }
  /** The content of the element, such as native code, does not count. */
  | { kind: 'atom'; name: string }
  /** Its content is part of the text; the tag itself is nothing, like a mark of a reviewer. */
  | { kind: 'mark' };

/** A text as it was read, with placeholders by name. */
export type InlineText = {
  parts: (string | { tag: 'open' | 'close' | 'atom'; name: string })[];
  /** The reason why it cannot be used. */
  problem?: string;
};

/**
 * Reads the content of an element as a text with placeholders. A tag that is none makes the text unusable,
 * not the file.
 *
 * @param tagOf  returns undefined for a tag that is not known, or lacks a name
 * @param into  gets the text
 */
export function readInline(
  { isSpacePreserved }: Pick<XmlTag, 'isSpacePreserved'>,
  {
    limits,
    tagOf,
    into,
  }: {
    limits: ExchangeLimits;
    tagOf(tag: XmlTag): InlineTag | undefined;
    into(text: InlineText): void;
  },
): XmlElement {
  const result: InlineText = { parts: [] };
  const { parts } = result;
  const open: string[] = [];
  let characters = 0;
  let placeholders = 0;
  const add = (part: InlineText['parts'][number]) => {
    if (typeof part === 'string') characters += part.length;
    else placeholders += 1;
    if (characters > limits.characters)
      result.problem ??= `It is longer than ${limits.characters} characters.`;
    if (placeholders > 2 * limits.placeholders)
      result.problem ??= `It has more than ${limits.placeholders} placeholders.`;
    if (result.problem === undefined) parts.push(part);
  };
  const close = (name: string) => {
    if (open.pop() !== name) result.problem ??= `Its placeholders overlap at ${name}.`;
    add({ tag: 'close', name });
  };
  const content: XmlElement = {
    text: add,
    child: (tag) => {
      const inline = tagOf(tag);
      if (!inline) {
        result.problem ??= `It contains <${tag.name}>, which is no placeholder of its source.`;
        return undefined;
      }
      if (inline.kind === 'mark') return content;
      const { kind, name } = inline;
      if (kind === 'pair' || kind === 'open') {
        open.push(name);
        add({ tag: 'open', name });
      } else if (kind === 'close') close(name);
      else add({ tag: 'atom', name });
      return kind === 'pair' ? { ...content, end: () => close(name) } : undefined;
    },
  };
  return {
    ...content,
    end: () => {
      if (open.length > 0) result.problem ??= `Its placeholder ${open[0]} has no end.`;
      if (!isSpacePreserved) collapseSpace(parts);
      into(result);
    },
  };
}

function collapseSpace(parts: InlineText['parts']): void {
  for (const [index, part] of parts.entries())
    if (typeof part === 'string') parts[index] = part.replaceAll(/[ \t\r\n]+/g, ' ');
  const [first, last] = [parts[0], parts.at(-1)];
  if (typeof first === 'string') parts[0] = first.trimStart();
  if (typeof last === 'string') parts[parts.length - 1] = (parts.at(-1) as string).trimEnd();
}

/** Writes a text as `textOfParts` does, with a number for each name. */
export function textOfInline({ parts }: InlineText, numberOf: (name: string) => number): string {
  return withoutIllegalCharacters(
    textOfParts(
      parts.map((part) => (typeof part === 'string' ? part : { tag: part.tag, id: numberOf(part.name) })),
    ),
  );
}
