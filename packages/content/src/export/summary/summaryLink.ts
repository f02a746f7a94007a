import MarkdownIt from 'markdown-it';

/** A link as written in a text. */
export type WrittenLink = {
  /** The text between the brackets. */
  label: string;
  /**
   * Returns the whole text with other parts of the link; `title` includes its quotes, null for none. Absent
   * parts stay.
   */
  rewritten(parts: { label: string; target?: string; title?: string | null }): string;
};

const parser = new MarkdownIt('commonmark');
/** An entry is one link, usually the first one; further brackets are not examined. */
const maxBrackets = 20;

/** Finds the inline links of a text, `[label](target "title")`, from left to right. */
export function* findLinks(text: string): Iterable<WrittenLink> {
  let count = 0;
  for (
    let start = text.indexOf('[');
    start >= 0 && count < maxBrackets;
    start = text.indexOf('[', start + 1)
  ) {
    count += 1;
    const link = linkAt(text, start);
    if (link) yield link;
  }
}

function linkAt(text: string, start: number): WrittenLink | undefined {
  const { parseLinkLabel, parseLinkDestination, parseLinkTitle } = parser.helpers;
  const labelEnd = parseLinkLabel(new parser.inline.State(text, parser, {}, []), start);
  if (labelEnd < 0 || text[labelEnd + 1] !== '(') return undefined;
  const targetStart = afterSpace(text, labelEnd + 2);
  const target = parseLinkDestination(text, targetStart, text.length);
  if (!target.ok) return undefined;
  let titleStart = afterSpace(text, target.pos);
  const title = parseLinkTitle(text, titleStart, text.length);
  const hasTitle = titleStart > target.pos && title.ok;
  const titleEnd = hasTitle ? title.pos : target.pos;
  if (!hasTitle) titleStart = target.pos;
  const end = afterSpace(text, titleEnd);
  if (text[end] !== ')') return undefined;

  return {
    label: text.slice(start + 1, labelEnd),
    rewritten(parts) {
      const oldTitle = text.slice(target.pos, titleEnd);
      const space = hasTitle ? text.slice(target.pos, titleStart) : ' ';
      const newTitle = parts.title === null ? '' : space + (parts.title ?? '');
      return [
        text.slice(0, start + 1),
        parts.label,
        text.slice(labelEnd, targetStart),
        parts.target ?? text.slice(targetStart, target.pos),
        parts.title === undefined ? oldTitle : newTitle,
        text.slice(titleEnd),
      ].join('');
    },
  };
}

function afterSpace(text: string, from: number): number {
  let position = from;
  while (position < text.length && ' \t\n'.includes(text[position] as string)) position += 1;
  return position;
}
