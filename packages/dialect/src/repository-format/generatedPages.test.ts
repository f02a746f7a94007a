import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect, it } from 'vitest';
import { mdastNodes, mdastText } from '../../../../test/support/mdastText.ts';
import { seededRandom, type SeededRandom } from '../../../../test/support/seededRandom.ts';
import { mayNameFile } from '../links/extractTargets.ts';
import { scanPage } from './scanPage.ts';

// The scan and a complete CommonMark parser must agree on random pages.

const pages = 2_500;

it(`finds the title and every file that a CommonMark parser finds, in ${pages} random pages`, () => {
  for (let seed = 1; seed <= pages; seed += 1) {
    const markdown = randomPage(seededRandom(seed));
    const scanned = scanPage(new TextEncoder().encode(markdown));
    const expected = parseFully(markdown);
    const context = `seed ${seed}\n${markdown}`;
    expect(scanned.h1, context).toBe(expected.title);
    expect(scanned.targets ?? [], context).toEqual(expect.arrayContaining(expected.targets));
    // The scan may find more, such as Markdown between HTML tags, but nothing that occurs only in code.
    const ofCode = (scanned.targets ?? []).filter(
      (target) => target.startsWith('code') && !expected.html.includes(target),
    );
    expect(expected.targets, context).toEqual(expect.arrayContaining(ofCode));
  }
});

function parseFully(markdown: string): { title: string | undefined; targets: string[]; html: string } {
  const tree = fromMarkdown(markdown);
  const [first] = tree.children;
  const targets = [...mdastNodes(tree)].flatMap((node) => {
    if (node.type === 'link' || node.type === 'image' || node.type === 'definition') return [node.url];
    return node.type === 'html'
      ? [...node.value.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, target]) => target as string)
      : [];
  });
  return {
    title: (first?.type === 'heading' && first.depth === 1 && mdastText(first).trim()) || undefined,
    targets: [...new Set(targets.filter(mayNameFile))],
    html: [...mdastNodes(tree)].map((node) => (node.type === 'html' ? node.value : '')).join('\n'),
  };
}

const inlines = [
  'word',
  '**bold**',
  '_it_',
  '`x`',
  '`` a`b ``',
  '\\*',
  '&amp;',
  '&#35;',
  '<a href="#x" id="x"></a>',
  '<br>',
  '[l](x.md)',
  '![alt](i.png)',
  '温室',
  'a_b',
  '# not',
  '``',
  '*',
  '[',
  '](',
  '<i>',
  '\\\\',
  '<https://x.org>',
  '{% tag %}',
  '$$x$$',
];
const targets = [
  'f.pdf',
  '<g h.png>',
  'a(1).png',
  'b\\_c.svg',
  'd%20e.zip',
  'x.md',
  'https://x.org/y.png',
  '#z',
  'k.png "t"',
];

function randomInline(random: SeededRandom): string {
  return Array.from({ length: 1 + random.below(4) }, () => random.pick(inlines)).join(
    random.pick([' ', '', ' ']),
  );
}

function randomBlock(random: SeededRandom, depth = 0): string {
  const indent = random.pick(['', '', '', ' ', '   ', '    ', '\t']);
  const fence = random.pick(['```', '~~~', '````']);
  const nested = () => (depth > 2 ? randomInline(random) : randomBlock(random, depth + 1));
  const indented = (text: string, by: string) => text.replaceAll('\n', `\n${by}`);
  switch (random.below(14)) {
    case 0:
      return `${indent}# ${randomInline(random)}${random.pick(['', '', ' #', ' ##  ', '#'])}`;
    case 1:
      return `${indent}## ${randomInline(random)}`;
    case 2:
      return `${indent}word ${randomInline(random)}\n${random.pick(['===', '=', '---', '  ===', '    ==='])}`;
    case 3:
      return `${fence}${random.pick(['', 'sh', ' md'])}\n# ${randomInline(random)}\n![](code.png)\n${random.chance(0.9) ? fence : ''}`;
    case 4:
      return `* ${indented(nested(), random.pick(['  ', '  ', '', '    ']))}`;
    case 5:
      return `1. ${indented(nested(), random.pick(['   ', '   ', '', ' ']))}`;
    case 6:
      return `> ${indented(nested(), random.pick(['> ', '> ', '']))}`;
    case 7:
      return `<div>\n${nested()}\n</div>`;
    case 8:
      return `<!-- ${random.pick(['', '\n'])}# ${randomInline(random)}\n\n-->`;
    case 9:
      // Between blank lines, because the two libraries disagree on other positions.
      return depth > 0 ? randomInline(random) : `\n[r${random.below(1e9)}]: ${random.pick(targets)}\n`;
    case 10:
      return `${randomInline(random)} ${random.pick(['', '!'])}[${random.pick(inlines.slice(0, 5))}](${random.pick(targets)})`;
    case 11:
      return `\n<img src="${random.pick(['p.png', 'q r.jpg', 'https://x.org'])}" alt="">`;
    case 12:
      return `\`![](code${random.below(9)}.png)\` ${randomInline(random).replaceAll('`', '')}`;
    default:
      return `${indent}${randomInline(random)}${random.chance(0.3) ? `\n${randomInline(random)}` : ''}`;
  }
}

function randomPage(random: SeededRandom): string {
  const text = Array.from(
    { length: 1 + random.below(7) },
    () => randomBlock(random) + random.pick(['\n', '\n\n', '\n\n\n']),
  ).join('');
  return random.chance(0.1) ? text.replaceAll('\n', '\r\n') : text;
}
