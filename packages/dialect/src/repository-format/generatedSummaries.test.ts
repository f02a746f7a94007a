import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect, it } from 'vitest';
import { mdastNodes, mdastText, type MdastNode, type MdastRoot } from '../../../../test/support/mdastText.ts';
import { seededRandom, type SeededRandom } from '../../../../test/support/seededRandom.ts';
import { readSummary, type SummaryEntry } from './summary.ts';
import { collectWarnings } from '../contentWarnings.ts';

// The importer and a complete CommonMark parser must agree on the groups, nesting, labels and targets of
// random navigations.

const summaries = 1_500;

it(`reads ${summaries} random navigations as a CommonMark parser reads them`, () => {
  for (let seed = 1; seed <= summaries; seed += 1) {
    const markdown = randomSummary(seededRandom(seed));
    const parts = readSummary(new TextEncoder().encode(markdown), {
      maxDepth: 64,
      maxEntries: 1000,
      warnings: collectWarnings(10),
      path: 'SUMMARY.md',
    });
    const read = parts.flatMap(({ group, entries }) => [
      ...(group ? [`# ${group.title}`] : ['#']),
      ...linesOf(entries),
    ]);
    expect(read, `seed ${seed}\n${markdown}`).toEqual(parseFully(fromMarkdown(markdown)));
  }
});

function linesOf(entries: readonly SummaryEntry[], depth = 0): string[] {
  return entries.flatMap((entry) => [
    lineOf(depth, entry.label, entry.kind === 'link' ? [entry.target, entry.linkTitle] : []),
    ...linesOf(entry.children, depth + 1),
  ]);
}

function lineOf(depth: number, label: string, [target, title]: (string | null | undefined)[]): string {
  return `${'  '.repeat(depth)}${label}${target ? ` -> ${target}` : ''}${title ? ` "${title}"` : ''}`;
}

function parseFully(tree: MdastRoot): string[] {
  const definitions = new Map(
    tree.children.flatMap((node) => (node.type === 'definition' ? [[node.identifier, node] as const] : [])),
  );
  const parts: { heading: string; lines: string[]; isGroup: boolean }[] = [
    { heading: '#', lines: [], isGroup: false },
  ];
  let isFirst = true;
  for (const node of tree.children) {
    if (node.type === 'heading') {
      const title = mdastText(node).trim();
      if (!(isFirst && node.depth === 1))
        parts.push({ heading: title ? `# ${title}` : '#', lines: [], isGroup: title !== '' });
      isFirst = false;
    } else if (node.type === 'thematicBreak' && parts.at(-1)?.isGroup) {
      parts.push({ heading: '#', lines: [], isGroup: false });
    } else if (node.type === 'list') {
      parts.at(-1)?.lines.push(...node.children.flatMap((item) => linesOfItem(item, 0)));
    }
  }
  return parts
    .filter(({ isGroup, lines }) => isGroup || lines.length > 0)
    .flatMap(({ heading, lines }) => [heading, ...lines]);

  function linesOfItem(item: Extract<MdastNode, { type: 'listItem' }>, depth: number): string[] {
    const paragraph = item.children.find((child) => child.type === 'paragraph' || child.type === 'heading');
    const [link] = paragraph ? [...mdastNodes(paragraph)].flatMap((node) => targetOf(node) ?? []) : [];
    const words = paragraph ? mdastText(paragraph).trim() : '';
    const label = link ? link.label : words;
    const isEntry = label !== '' || link !== undefined;
    const children = item.children.flatMap((child) =>
      child.type === 'list'
        ? child.children.flatMap((inner) => linesOfItem(inner, isEntry ? depth + 1 : depth))
        : [],
    );
    return isEntry ? [lineOf(depth, label, link ? [link.url, link.title] : []), ...children] : children;
  }

  function targetOf(node: MdastNode): { label: string; url: string; title: string } | undefined {
    const link = node.type === 'link' ? node : undefined;
    const definition = node.type === 'linkReference' ? definitions.get(node.identifier) : link;
    return definition?.url
      ? { label: mdastText(node).trim(), url: definition.url, title: definition.title?.trim() ?? '' }
      : undefined;
  }
}

const labels = [
  'Word',
  'Two words',
  '**Bold**',
  '_it_ `code`',
  'a\\_b',
  '\\[x\\]',
  'R&amp;D',
  '温室',
  'x <a href="#x" id="x"></a>',
  '',
  '![alt](i.png)',
  '1. one',
  'a*b*c',
  '[nested]',
];
const targets = [
  'a.md',
  'b/c.md',
  '<d e.md>',
  'f%20g.md',
  'h\\_i.md',
  'j(1).md',
  '/k.md',
  'https://x.org/?a=b&c=d',
  'l.md#m',
  '',
  'm.md "Short"',
  "n.md 'Brief &amp; \\\" x'",
  '<>',
  'o&amp;p.md',
];

function randomEntry(random: SeededRandom): string {
  const link = `[${random.pick(labels)}](${random.pick(targets)})`;
  return random.pick([
    link,
    link,
    link,
    link,
    link,
    random.pick(labels) || 'Label',
    `**${link}**`,
    `[${random.pick(labels)}][r${random.below(2)}]`,
    `text ${link} and ${link}`,
    `# ${link}`,
  ]);
}

function randomSummary(random: SeededRandom): string {
  const lines = random.chance(0.7) ? ['# Table of contents', ''] : [];
  const [bullet, step] = random.pick([
    ['*', 2],
    ['-', 4],
    ['*', 2],
    ['+', 2],
    ['1.', 3],
  ] as const);
  let depth = 0;
  for (let count = random.below(20); count > 0; count -= 1) {
    const kind = random.below(14);
    if (kind === 0) lines.push('', `## ${random.pick(labels)}`, '');
    else if (kind === 1) lines.push('', '***', '');
    else if (kind === 2) lines.push('');
    else {
      depth = random.chance(0.03) ? depth + 2 : Math.min(depth + 1, random.below(5));
      lines.push(`${' '.repeat(depth * step)}${bullet} ${randomEntry(random)}`);
      continue;
    }
    depth = kind === 2 ? depth : -1;
  }
  lines.push('', '[r0]: r.md "Reference"');
  return lines.join(random.chance(0.15) ? '\r\n' : '\n');
}
