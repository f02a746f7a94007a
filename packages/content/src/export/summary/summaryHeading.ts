import type { SourceBlock } from './summarySource.ts';
import { partsOf } from './summarySource.ts';
import { headingForms } from './summaryText.ts';

type GroupBlock = Extract<SourceBlock, { kind: 'group' }>;

/** Writes the heading of a group, with the anchor of its old heading. */
export function changedHeading(
  title: string,
  { block, hashes }: { block: GroupBlock | undefined; hashes: string },
): string {
  const [line] = block?.lines ?? [];
  const candidates = headingForms(title).flatMap((text) => {
    const fresh = `${hashes} ${text}`;
    if (!block || !line || block.lines.length > 1) return [fresh];
    const anchors = anchorsAtEnd(block.content);
    return [line.text.replace(block.content, () => text + anchors), fresh];
  });
  return candidates.find((candidate) => isRead(candidate, title)) ?? (candidates.at(-1) as string);
}

function isRead(line: string, title: string): boolean {
  // Parsed after another heading, because a first heading may be the title of the whole file.
  const parts = partsOf(new TextEncoder().encode(`# T\n\n${line}\n`), '') ?? [];
  return parts.length === 1 && parts[0]?.group?.title === title && parts[0].entries.length === 0;
}

/** Anchors without a text at the end of a heading, with the space before them. */
function anchorsAtEnd(content: string): string {
  let start = content.trimEnd().length;
  for (
    let at = content.lastIndexOf('<a', start);
    at >= 0;
    at = start === 0 ? -1 : content.lastIndexOf('<a', start - 1)
  ) {
    if (!/^<a\s[^<>]*>\s*<\/a>$/.test(content.slice(at, start))) break;
    start = content.slice(0, at).trimEnd().length;
  }
  return content.slice(start);
}
