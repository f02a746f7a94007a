import { createHash } from 'node:crypto';

/**
 * Repositories of typical shapes: some images, many pages, heavy assets. Generated from a seed, so the same
 * in every run.
 */
export type Shape = { name: string; pages: number; pageBytes: number; assets: number; assetBytes: number };

export const shapes: Shape[] = [
  {
    name: 'small (160 pages, 15 MB of images)',
    pages: 160,
    pageBytes: 3_200,
    assets: 110,
    assetBytes: 135_000,
  },
  {
    name: 'pages (3,100 pages, 33 MB of text)',
    pages: 3_100,
    pageBytes: 10_600,
    assets: 20,
    assetBytes: 20_000,
  },
  {
    name: 'assets (290 pages, 190 MB of images)',
    pages: 290,
    pageBytes: 7_000,
    assets: 950,
    assetBytes: 205_000,
  },
];

const pagesPerFolder = 50;

export function makeRepository({ pages, pageBytes, assets, assetBytes }: Shape): Map<string, Uint8Array> {
  const random = randomSource(`${pages}-${assets}`);
  const words = Array.from({ length: 3_000 }, () => wordOf(random));
  const files = new Map<string, Uint8Array>();
  const summary = ['# Table of contents', '', '* [Home](README.md)'];
  files.set('README.md', Buffer.from('# Home\n\nWelcome.\n'));
  for (let n = 0; n < pages - 1; n += 1) {
    const path = pathOfPage(n);
    if (n % pagesPerFolder === 0) summary.push('', `## Part ${n / pagesPerFolder + 1}`, '');
    summary.push(`* [Page ${n}](${path})`);
    const asset = assets > 0 ? `\n![](../.gitbook/assets/image-${n % assets}.png)\n` : '';
    files.set(path, Buffer.from(pageText(n, { random, words, bytes: pageBytes }) + asset));
  }
  for (let n = 0; n < assets; n += 1) files.set(`.gitbook/assets/image-${n}.png`, noise(random, assetBytes));
  files.set('SUMMARY.md', Buffer.from(`${summary.join('\n')}\n`));
  return files;
}

export function pathOfPage(n: number): string {
  return `part-${Math.floor(n / pagesPerFolder) + 1}/page-${n}.md`;
}

type Random = (below: number) => number;

function pageText(
  n: number,
  { random, words, bytes }: { random: Random; words: string[]; bytes: number },
): string {
  const parts = [`---\ndescription: Page ${n} of many\n---\n\n# Page ${n}\n`];
  for (let length = 0; length < bytes; length += parts.at(-1)?.length ?? 0) {
    const kind = random(10);
    const sentence = () =>
      Array.from({ length: 8 + random(12) }, () => words[random(words.length)]).join(' ');
    if (kind === 0) parts.push(`\n## ${sentence().slice(0, 40)}\n`);
    else if (kind === 1) parts.push(`\n* ${sentence()}\n* ${sentence()} [link](page-${random(50)}.md)\n`);
    else if (kind === 2)
      parts.push(`\n\`\`\`js\nconst ${words[random(words.length)]} = '${sentence()}';\n\`\`\`\n`);
    else if (kind === 3) parts.push(`\n{% hint style="info" %}\n${sentence()}.\n{% endhint %}\n`);
    else parts.push(`\n${sentence()}. ${sentence()}, **${words[random(words.length)]}** ${sentence()}.\n`);
  }
  return parts.join('');
}

function wordOf(random: Random): string {
  return Array.from(
    { length: 2 + random(4) },
    () => 'bcdfglmnprstv'.charAt(random(13)) + 'aeiou'.charAt(random(5)),
  ).join('');
}

/** Incompressible bytes, like those of images. */
function noise(random: Random, bytes: number): Buffer {
  const seed = String(random(2 ** 31));
  const parts: Buffer[] = [];
  for (let n = 0; n * 64 < bytes; n += 1) parts.push(createHash('sha512').update(`${seed} ${n}`).digest());
  return Buffer.concat(parts).subarray(0, bytes);
}

/** A linear congruential generator: good enough for text, and deterministic. */
function randomSource(seed: string): Random {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
