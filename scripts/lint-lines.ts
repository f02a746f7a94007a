import { globSync, readFileSync } from 'node:fs';

/** The longest line of prose, in characters. Code has the same limit, which oxfmt keeps. */
const maxLength = 110;

/** Written by `npm run config-docs`, `npm run permission-docs` and the benchmarks. */
const generated = /^docs\/(configuration|permissions)\.md$|^docs\/benchmarks\//;

const exclude = (path: string) => /(^|\/)(node_modules|fixtures|\.bindery|\.git)$/.test(path);
const sources = globSync(['{apps,packages,scripts,test,bench}/**/*.ts', '*.ts'], { exclude });
const documents = globSync(['*.md', 'docs/**/*.md'], { exclude }).filter((file) => !generated.test(file));

/** A comment on lines of its own. What has no space, such as a URL, cannot be wrapped. */
const isComment = (line: string) => /^\s*(\/\/|\*|\/\*\*) (?!oxlint-).*\s\S/.test(line);
/** Rows of tables and what stands in fences cannot be wrapped. */
const isProse = (line: string) => !/^\s*(\||<|!\[|\[[^\]]+\]:)/.test(line);

function longLines(file: string, isJudged: (line: string) => boolean): string[] {
  let isInFence = false;
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trimStart().startsWith('```')) isInFence = !isInFence;
      if (isInFence || line.length <= maxLength || !isJudged(line)) return [];
      return [`${file}:${index + 1}: ${line.length} characters, at most ${maxLength}`];
    });
}

const found = [
  ...sources.flatMap((file) => longLines(file, isComment)),
  ...documents.flatMap((file) => longLines(file, isProse)),
];
for (const line of found) console.error(line);
console.log(`${found.length} lines of prose in ${sources.length + documents.length} files are too long`);
process.exitCode = found.length > 0 || sources.length === 0 ? 1 : 0;
