import { globSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { expect, it } from 'vitest';

const project = resolve(import.meta.dirname, '../..');

/** More files side by side are looked through instead of looked at. */
const mostFiles = 25;

it.each(['content', 'dialect'])('no folder of packages/%s has too many files', (name) => {
  const files = globSync(`packages/${name}/src/**/*.ts`, { cwd: project, exclude: (path) => /\.test(-d)?\.ts$/.test(path) });
  expect(files.length).toBeGreaterThan(50);
  const folders = Map.groupBy(files, (file) => dirname(file));
  expect([...folders].filter(([, inside]) => inside.length > mostFiles).map(([folder, inside]) => `${folder}: ${inside.length}`)).toEqual(
    [],
  );
});
