import type { SourceBlock } from './summarySource.ts';
import { partsOf } from './summarySource.ts';
import { headingForms } from './summaryText.ts';

type GroupBlock = Extract<SourceBlock, { kind: 'group' }>;

/** The heading of a group, with the anchor of the one that it had. */
export function changedHeading(title: string, { block, hashes }: { block: GroupBlock | undefined; hashes: string }): string {
  const [line] = block?.lines ?? [];
  const candidates = headingForms(title).flatMap((text) => {
    const fresh = `${hashes} ${text}`;
    if (!block || !line || block.lines.length > 1) return [fresh];
    const anchors = /(?:\s*<a\s[^<>]*>\s*<\/a>)*\s*$/.exec(block.content)?.[0] ?? '';
    return [line.text.replace(block.content, () => text + anchors), fresh];
  });
  return candidates.find((candidate) => isRead(candidate, title)) ?? (candidates.at(-1) as string);
}

function isRead(line: string, title: string): boolean {
  // Behind another heading, because the first one may be the title of the whole.
  const parts = partsOf(new TextEncoder().encode(`# T\n\n${line}\n`), '') ?? [];
  return parts.length === 1 && parts[0]?.group?.title === title && parts[0].entries.length === 0;
}
