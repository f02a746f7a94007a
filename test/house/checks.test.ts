import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildHouse, type House } from './house.ts';
import { forbiddenImports } from './planted/imports.ts';
import { lintErrors } from './planted/lint.ts';
import { typeErrors } from './planted/types.ts';

// Each check runs once over a small project that follows the rules, and once with everything below planted in
// it.

/** A folder of one file too many; tests do not count. */
const flatFolder = Object.fromEntries(
  Array.from({ length: 26 }, (_, n) => [
    [`packages/storage/src/flat/file${n}.ts`, `export {};\n`],
    [`packages/storage/src/flat/file${n}.test.ts`, `export {};\n`],
  ]).flat(),
);
/** One that is just small enough. */
const fullFolder = Object.fromEntries(
  Array.from({ length: 25 }, (_, n) => [
    [`packages/storage/src/full/file${n}.ts`, `export {};\n`],
    [`packages/storage/src/full/file${n}.test.ts`, `export {};\n`],
  ]).flat(),
);

/** The file of a compiler error. */
const typedFile = (option: string) => `apps/api/src/types/${option}.ts`;

const others = {
  ...flatFolder,
  // Not installed; the rule about its owner names it once somebody adds it.
  'node_modules/puppeteer/package.json': `{ "name": "puppeteer", "main": "index.js" }\n`,
  'node_modules/puppeteer/index.js': `module.exports = {};\n`,
  'scripts/unlisted.ts': `import 'yaml';\n`,
  ...fullFolder,
  'apps/api/src/cycleB.ts': `import './cycleA.ts';\n`,
  'apps/api/src/unused.ts': `export const nobody = 1;\n`,
  'packages/models/src/index.ts': `import mongoose from 'mongoose';\n\nexport const Space = mongoose.model('Space', new mongoose.Schema({}));\nexport const unusedFace = 1;\n`,
  'packages/jobs/package.json': `{ "name": "@bindery/jobs", "private": true, "exports": "./src/index.ts", "dependencies": { "yaml": "1.0.0" }, "devDependencies": { "typescript": "1.0.0" } }\n`,
  'apps/api/src/wide.ts': `// ${'wide '.repeat(23)}.\nexport {};\n`,
  'docs/wide.md': `${'wide '.repeat(23)}end.\n`,
  'apps/api/src/headless.ts': `// What is this for?\n// It sends. What cannot be sent is kept.\n/** Who may send. */\nexport {};\n`,
  'docs/headless.md': `# What is sent\n\n- So many texts are sent.\n\nText: what is kept.\n`,
  'apps/api/src/layout.ts': `export const   layout = "off"\n`,
};

/** All checks together take ten seconds, and a busy machine has taken more than a minute. */
const checksMs = 300_000;

let house: House;
beforeAll(() => {
  house = buildHouse();
});
afterAll(() => house.remove());

describe('a project that follows the rules', () => {
  it(
    'passes every check',
    () => {
      const { status, output } = house.run('node scripts/check.ts');
      expect(output).toContain('all checks passed');
      expect(status).toBe(0);
    },
    checksMs,
  );

  it('fails when dependency-cruiser reads only a part of it', () => {
    // Here a part of the tree is hidden from it; without its parser it is all of it.
    const rules = '.dependency-cruiser.cjs';
    const blind = house.run(
      `cp ${rules} kept && sed -i "s#'/fixtures/'#'/models/'#" ${rules} && node scripts/lint-imports.ts; code=$?; mv kept ${rules}; exit $code`,
    );
    expect(blind.output).toContain('source files were not read');
    expect(blind.status).toBe(1);
  });
});

describe('a project that breaks the rules', () => {
  const checks = [
    'format:check',
    'lint:lockfile',
    'lint:imports',
    'lint:folders',
    'lint:lines',
    'lint:unused',
    'lint',
    'typecheck',
  ];
  const outputs: Record<string, string> = {};
  const statuses: Record<string, number | null> = {};
  beforeAll(() => {
    for (const [file, [, source]] of Object.entries({ ...forbiddenImports, ...lintErrors }))
      house.write({ [file]: `${source}\n` });
    for (const [option, [, source]] of Object.entries(typeErrors))
      house.write({ [typedFile(option)]: `${source}\n` });
    house.write(others);
    for (const check of checks) {
      const { status, output } = house.run(
        `npm run --silent ${check} ${check === 'lint' ? '-- --format=unix' : ''}`,
      );
      outputs[check] = output;
      statuses[check] = status;
    }
  }, checksMs);

  it.each(checks)('fails %s', (check) => {
    expect(statuses[check], outputs[check]).toBeGreaterThan(0);
  });

  it.each(Object.entries(forbiddenImports))('import rules: %s', (file, [rule]) => {
    const lines = (outputs['lint:imports'] ?? '').split('\n');
    const named = lines.flatMap((line, index) =>
      line.startsWith(`${file} ->`) ? [lines[index + 1]?.trim().split(':')[0]] : [],
    );
    if (rule === '') expect(named).toEqual([]);
    else expect(named).toContain(rule);
  });

  it.each(Object.entries(lintErrors))('oxlint: %s', (file, [rule]) => {
    const lines = (outputs.lint ?? '').split('\n').filter((line) => line.startsWith(`${file}:`));
    if (rule === '') expect(lines).toEqual([]);
    else expect(lines.join('\n')).toContain(`(${rule})`);
  });

  it.each(Object.entries(typeErrors))('compiler: %s', (option, [code]) => {
    const lines = (outputs['typecheck'] ?? '').split('\n');
    expect(lines.filter((line) => line.startsWith(typedFile(option))).join('\n')).toContain(code);
  });

  it.each([
    ['lint:unused', /apps\/api\/src\/unused\.ts/],
    ['lint:unused', /unusedFace .*packages\/models\/src\/index\.ts/],
    ['lint:unused', /yaml .*packages\/jobs\/package\.json/],
    ['lint:unused', /yaml .*scripts\/unlisted\.ts/],
    ['lint:lines', /apps\/api\/src\/wide\.ts:1: 119 characters, at most 110/],
    ['lint:lines', /docs\/wide\.md:1: 119 characters, at most 110/],
    ['lint:lines', /apps\/api\/src\/headless\.ts:2: begin the sentence with a noun or a verb/],
    ['lint:lines', /apps\/api\/src\/headless\.ts:3: begin the sentence/],
    ['lint:lines', /docs\/headless\.md:3: begin the sentence/],
    ['lint:folders', /packages\/storage\/src\/flat has 26 source files, at most 25/],
    ['lint:lockfile', /dependencies of packages\/jobs differ/],
    ['format:check', /apps\/api\/src\/layout\.ts/],
  ])('%s finds %s', (check, expected) => {
    expect(outputs[check]).toMatch(expected);
  });

  it('lint:lines accepts questions and headings that begin with What', () => {
    expect(outputs['lint:lines']).not.toMatch(/headless\.(?:ts|md):(?:1|5):/);
  });

  it('lint:folders ignores tests, and folders that are small enough', () => {
    expect(outputs['lint:folders']).not.toContain('/full');
  });
});

describe('every rule of the configuration has a violation above', () => {
  const project = resolve(import.meta.dirname, '../..');
  /** Comments in these files have lines of their own. */
  const readJson = (file: string): unknown =>
    JSON.parse(readFileSync(resolve(project, file), 'utf8').replaceAll(/^\s*\/\/.*$/gm, ''));
  const planted = (table: Record<string, [rule: string, source: string]>) =>
    new Set(Object.values(table).map(([rule]) => rule));

  it('in .dependency-cruiser.cjs', () => {
    const { forbidden } = createRequire(import.meta.url)(resolve(project, '.dependency-cruiser.cjs')) as {
      forbidden: { name: string }[];
    };
    const names = forbidden.map(({ name }) => name);
    expect(names.filter((name) => !planted(forbiddenImports).has(name))).toEqual([]);
  });

  it('in .oxlintrc.json', () => {
    const { rules } = readJson('.oxlintrc.json') as { rules: Record<string, unknown> };
    const names = Object.keys(rules)
      .filter((name) => rules[name] !== 'off')
      .map((name) => name.split('/').at(-1) ?? '');
    expect(names.filter((name) => !planted(lintErrors).has(name))).toEqual([]);
  });

  it('in tsconfig.json', () => {
    const { compilerOptions } = readJson('tsconfig.json') as { compilerOptions: Record<string, unknown> };
    const demandNothing = ['noEmit', 'allowImportingTsExtensions', 'skipLibCheck'];
    const options = Object.keys(compilerOptions).filter((name) => compilerOptions[name] === true);
    expect(options.filter((name) => !demandNothing.includes(name) && !typeErrors[name])).toEqual([]);
  });
});
