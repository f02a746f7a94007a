import { pagesIn } from './pagesIn.ts';
import { translatePage } from './translation.ts';

const usage = 'npm run test:translation-round-trip -- <git directory or folder>...';
const paths = process.argv.slice(2);
if (paths.length === 0) {
  console.error(`Checks that a translation keeps the shape of Markdown pages.\n\n    ${usage}`);
  process.exit(2);
}

console.log(
  [
    '| Repository | pages | kept | same shape | segments | refused | words | repeated | cut | join |',
    '|---|---|---|---|---|---|---|---|---|---|',
  ].join('\n'),
);
for (const path of paths) {
  const memory = new Map<string, string>();
  const sum = {
    pages: 0,
    kept: 0,
    same: 0,
    segments: 0,
    refused: 0,
    words: 0,
    again: 0,
    cutMs: 0,
    joinMs: 0,
  };
  for (const { name, bytes } of pagesIn(path)) {
    const { changed, isKept, statistics, ...page } = translatePage(bytes, memory);
    sum.pages += 1;
    if (isKept) sum.kept += 1;
    if (changed.length === 0) sum.same += 1;
    else console.error(`${name}: ${changed.join(', ')}`);
    sum.again += statistics.memory.words + statistics.repeated.words;
    for (const key of ['segments', 'refused', 'words', 'cutMs', 'joinMs'] as const) sum[key] += page[key];
  }
  const { pages, kept, same, segments, refused, words, again } = sum;
  const microseconds = (ms: number) => `${Math.round((ms / segments) * 1000)} µs`;
  const share = `${Math.round((100 * again) / words)} %`;
  const times = `${microseconds(sum.cutMs)} | ${microseconds(sum.joinMs)}`;
  console.log(
    `| ${path} | ${pages} | ${kept} | ${same} | ${segments} | ${refused} | ${words} | ${share} | ${times} |`,
  );
  if (kept < pages || same < pages) process.exitCode = 1;
}
