import { globSync } from 'node:fs';
import { dirname } from 'node:path';

/** Maximum number of source files directly in one folder, without tests; longer lists are hard to read. */
const maxFiles = 25;

const files = globSync('{apps,packages}/*/src/**/*.ts', {
  exclude: (path) => /(^|\/)(node_modules|fixtures)$/.test(path),
}).filter((file) => !/\.test(-d)?\.ts$/.test(file));
const folders = Map.groupBy(files, dirname);
const tooLarge = [...folders].filter(([, { length }]) => length > maxFiles);
for (const [folder, { length }] of tooLarge)
  console.error(
    `${folder} has ${length} source files, at most ${maxFiles} are allowed: group them by topic into folders.`,
  );
console.log(`${tooLarge.length} of ${folders.size} folders are too large`);
process.exitCode = tooLarge.length > 0 || files.length === 0 ? 1 : 0;
