import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const project = resolve(import.meta.dirname, '../..');
const pages = ['ARCHITECTURE.md', 'CONTRIBUTING.md', ...globSync('docs/design/*.md', { cwd: project })];
const read = (path: string) => readFileSync(resolve(project, path), 'utf8');

const ignored = ['**/node_modules/**', '.bindery/**', '.git/**'];
const paths = globSync('**', { cwd: project, exclude: ignored }).map((path) => `/${path}`);
const sources = paths.filter(
  (path) => /\.(ts|yml|json)$/.test(path) && !path.endsWith('lock.json') && !path.includes('/docs/'),
);
const words = new Set(
  sources.flatMap((path) =>
    statSync(project + path).isFile() ? (read(path.slice(1)).match(/[A-Za-z_$][\w$]*/g) ?? []) : [],
  ),
);
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/**
 * Paths may leave out their beginning and `/src/`: `models/src/access/access.ts`, `launcher/supervise.ts`,
 * `sweeper.ts`.
 */
function isPath(span: string): boolean {
  const end = `/${span.replace(/\/$/, '')}`;
  return paths.some((path) => path.endsWith(end));
}

/** @returns undefined also for a code span that names nothing in the tree: a request, an example */
function problemIn(span: string): string | undefined {
  const script = /^npm run ([\w:-]+)$/.exec(span)?.[1];
  if (script !== undefined) return script in scripts ? undefined : 'no such script';
  if (/^(?:[\w.-]+\/)+[\w.-]*$|^[\w.-]+\.(?:ts|md|yml|json)$/.test(span))
    return isPath(span) ? undefined : 'no such path';
  const name = /^([A-Za-z_$][\w$]+)(?:\.[\w]+)?(?:\(\w*\))?$/.exec(span)?.[1];
  return name !== undefined && !words.has(name) ? 'no such name in the sources' : undefined;
}

describe.each(pages)('%s', (page) => {
  const text = read(page);

  it('links to files that exist', () => {
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map((match) => match[1]!);
    expect(targets.filter((target) => !existsSync(resolve(project, dirname(page), target)))).toEqual([]);
  });

  it('names paths, scripts and identifiers that exist', () => {
    const prose = text.replaceAll(/^```[^]*?^```$/gm, '');
    const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map((match) => match[1]!);
    const problems = spans.map((span) => ({ span, problem: problemIn(span) }));
    expect(problems.filter(({ problem }) => problem !== undefined)).toEqual([]);
  });

  it('has no line of more than 150 characters outside tables', () => {
    const long = text.split('\n').filter((line) => line.length > 150 && !line.startsWith('|'));
    expect(long).toEqual([]);
  });
});

it('reports paths, scripts and names that do not exist', () => {
  expect(
    ['apps/nowhere', 'nowhere.ts', 'npm run nowhere', 'noSuchFunctionAnywhere' + 'AtAll'].map(problemIn),
  ).toEqual(['no such path', 'no such path', 'no such script', 'no such name in the sources']);
});
