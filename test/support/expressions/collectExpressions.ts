import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseSync } from 'oxc-parser';

const project = resolve(import.meta.dirname, '../../..');
/** Stands for each value of a template. */
const anyName = 'name';

/** A regular expression in the sources; `isExcused` when a comment above names the bound of its input. */
export type Expression = { place: string; source: string; flags: string; isExcused: boolean };

/** Collects the regular expressions of production code: literals, and `new RegExp` of a text. */
export function collectExpressions(): Expression[] {
  return globSync('{apps,packages}/*/src/**/*.ts', {
    cwd: project,
    exclude: (path) => path.endsWith('.test.ts'),
  })
    .toSorted()
    .flatMap((file) => expressionsIn(file, readFileSync(resolve(project, file), 'utf8')));
}

export function expressionsIn(file: string, text: string): Expression[] {
  const { program, errors } = parseSync(file, text);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const found: Expression[] = [];
  const add = (start: number, source: string | undefined, flags = '') => {
    if (source === undefined) return;
    const line = text.slice(0, start).split('\n').length;
    const above = text.split('\n').slice(Math.max(0, line - 4), line);
    found.push({
      place: `${file}:${line}`,
      source,
      flags,
      isExcused: above.some((each) => /\/\/ Not linear: .*\d/.test(each)),
    });
  };
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (typeof node !== 'object' || node === null) return;
    const { type, start, regex, callee, arguments: given } = node as Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- any node of a syntax tree
    if (type === 'Literal' && regex) add(start, regex.pattern, regex.flags);
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp')
      add(start, constantText(given[0]), constantText(given[1]));
    for (const value of Object.values(node)) walk(value);
  };
  walk(program);
  return found;
}

type Template = { quasis: { value: { cooked: string } }[] };

function constantText(node: { type?: string; value?: unknown } | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type !== 'TemplateLiteral') return undefined;
  return (node as Template).quasis.map(({ value }) => value.cooked).join(anyName);
}
