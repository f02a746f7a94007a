import type { Side } from './conflict/choices.ts';
import type { BlockConflict } from './mergeBlocks.ts';
import { mergeKeyed } from './mergeKeyed.ts';
import { mergeLines } from './mergeLines.ts';

/** The delimiters of frontmatter (with a byte order mark) and its content by key. */
type Frontmatter = { open: string; entries: Entry[]; close: string };
/** A key with its value and the comments above it, as whole lines. */
type Entry = { key: string; text: string };

/**
 * Merges frontmatter key by key: a change of one side is taken. The lines of a key that both sides changed
 * are merged; where that is not possible, or one side removed what the other changed, a conflict is reported,
 * and `theirs` is taken unless `choose` returns a side.
 */
export function mergeFrontmatter(
  { base, ours, theirs }: Record<'base' | 'ours' | 'theirs', string>,
  choose: (conflict: BlockConflict, index: number) => Side | undefined,
): { text: string; conflicts: BlockConflict[] } {
  if (ours === theirs || theirs === base) return { text: ours, conflicts: [] };
  if (ours === base) return { text: theirs, conflicts: [] };
  const [o, a, b] = [parse(base), parse(ours), parse(theirs)];
  const conflicts: BlockConflict[] = [];
  const entries = mergeKeyed<Entry>(
    { base: o.entries, ours: a.entries, theirs: b.entries },
    {
      keyOf: ({ key }) => key,
      isSame: (one, other) => one.text === other.text,
      resolve: (versions) => {
        const texts = { base: versions.base?.text, ours: versions.ours?.text, theirs: versions.theirs?.text };
        const { text, isConflict } =
          texts.ours !== undefined && texts.theirs !== undefined
            ? mergeLines({ base: texts.base ?? '', ours: texts.ours, theirs: texts.theirs })
            : { text: texts.theirs, isConflict: true };
        const key = (versions.theirs ?? versions.ours)?.key ?? '';
        if (!isConflict) return text === undefined ? undefined : { key, text };
        const [old, our, their] = [texts.base ?? null, texts.ours ?? null, texts.theirs ?? null];
        const conflict = { base: old, ours: our, theirs: their, merged: text ?? null };
        conflicts.push(conflict);
        const taken = conflict[choose(conflict, conflicts.length - 1) ?? 'merged'];
        return taken === null ? undefined : { key, text: taken };
      },
    },
  );
  const { open, close } = [b, a, o].find((side) => side.close !== '') ?? b;
  const text = entries.map((entry) => entry.text).join('');
  // Without any keys, delimiters stay only if both sides have them.
  if (text === '' && (a.close === '' || b.close === '')) return { text: markOf(b.open), conflicts };
  return { text: `${open}${text}${close}`, conflicts };
}

const byteOrderMark = '\u00EF\u00BB\u00BF';

function markOf(open: string): string {
  return open.startsWith(byteOrderMark) ? byteOrderMark : '';
}

/** @param frontmatter  one character per byte: with its delimiters, or only a byte order mark */
function parse(frontmatter: string): Frontmatter {
  const lines = frontmatter.match(/[^\n]+\n?|\n/g) ?? [];
  if (lines.length < 2) return { open: frontmatter, entries: [], close: '' };
  const entries: Entry[] = [];
  let above = '';
  const seen = new Map<string, number>();
  for (const line of lines.slice(1, -1)) {
    const [, plain, quoted] =
      /^(?:([^\s#:-][^:\n]*)|("[^"\n]*"|'[^'\n]*')[ \t]*):(?=[ \t\r\n]|$)/.exec(line) ?? [];
    const name = plain ?? quoted;
    const last = entries.at(-1);
    if (name !== undefined) {
      const count = (seen.get(name) ?? 0) + 1;
      seen.set(name, count);
      entries.push({ key: count === 1 ? name : `${name} ${count}`, text: above + line });
      above = '';
    } else if (line.startsWith('#') || !last) above += line;
    else {
      last.text += above + line;
      above = '';
    }
  }
  if (above !== '') entries.push({ key: '#', text: above });
  return { open: lines[0] as string, entries, close: lines.at(-1) as string };
}
