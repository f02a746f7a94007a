/**
 * Files that must each be named by oxlint with a rule; an empty rule means that the same is allowed there.
 * They are texts that only oxlint reads: a test in them never runs.
 */
export const lintErrors: Record<string, [rule: string, source: string]> = {
  'apps/api/src/floating.ts': ['no-floating-promises', `async function work() {}\nwork();`],
  'apps/api/src/misused.ts': ['no-misused-promises', `[1].forEach(async () => {});`],
  'apps/api/src/any.ts': ['no-explicit-any', `export const anything: any = 1;`],
  'apps/api/src/importType.ts': ['consistent-type-imports', `export type App = import('express').Express;`],
  'apps/api/src/ending.ts': ['no-restricted-imports', `import '../src/main.js';`],
  'test/ending.ts': ['no-restricted-imports', `import './helper.js';`],
  'apps/api/src/env.ts': ['no-restricted-properties', `export const port = process.env.PORT;`],
  'packages/jobs/src/env.ts': [
    'no-restricted-properties',
    `const { env } = process;\nexport const port = env.PORT;`,
  ],
  'packages/runtime/src/env.ts': ['', `export const port = process.env.PORT;`],
  'apps/api/src/process.ts': [
    'no-restricted-imports',
    `import { env } from 'node:process';\nexport const port = env.PORT;`,
  ],
  'apps/api/src/fetch.ts': ['no-restricted-globals', `export const get = fetch;`],
  'packages/content/src/fetch.ts': ['no-restricted-globals', `export const get = globalThis.fetch;`],
  'apps/cli/src/fetch.ts': ['', `export const get = fetch;`],
  'apps/api/src/socket.ts': [
    'no-restricted-globals',
    `export const open = () => new WebSocket('ws://[::1]');`,
  ],
  'apps/api/src/console.ts': ['no-console', `console.log('hello');`],
  'apps/api/src/default.ts': ['no-default-export', `export default 1;`],
  'apps/api/src/nested.ts': [
    'no-nested-ternary',
    `export const sign = (n: number) => (n > 0 ? 'plus' : n < 0 ? 'minus' : 'zero');`,
  ],
  'apps/api/src/swallowed.ts': [
    'preserve-caught-error',
    `try {\n  JSON.parse('');\n} catch {\n  throw new Error('bad');\n}\ntry {\n  JSON.parse('');\n} catch (error) {\n  throw new Error(\`bad\`);\n}`,
  ],
  'apps/api/src/focused.test.ts': [
    'no-focused-tests',
    `import { it } from 'vitest';\nit.only('runs alone', () => {});`,
  ],
  'apps/api/src/skipped.test.ts': [
    'no-disabled-tests',
    `import { it } from 'vitest';\nit.skip('never runs', () => {});`,
  ],
  'apps/api/src/returned.ts': [
    'return-await',
    `export async function read(work: Promise<number>) {\n  try {\n    return work;\n  } catch {\n    return 0;\n  }\n}`,
  ],
  'apps/api/src/thrown.ts': ['only-throw-error', `export function fail() {\n  throw 'text';\n}`],
  'apps/api/src/rejected.ts': [
    'prefer-promise-reject-errors',
    `export const failed = Promise.reject('text').catch(() => {});`,
  ],
  'apps/api/src/forgotten.ts': [
    'switch-exhaustiveness-check',
    `export function sign(side: 'left' | 'right') {\n  switch (side) {\n    case 'left':\n      return 1;\n  }\n  return 2;\n}`,
  ],
  'apps/api/src/spread.ts': ['no-misused-spread', `export const copied = { ...Promise.resolve({ a: 1 }) };`],
  'apps/api/src/characters.ts': ['', `export const characters = (text: string) => [...text];`],
  'apps/api/src/required.ts': ['no-require-imports', `import path = require('node:path');\nexport { path };`],
  'apps/api/src/ignored.ts': ['ban-ts-comment', `// @ts-ignore\nexport const text: string = 1;`],
  'apps/api/src/protocol.ts': ['prefer-node-protocol', `import 'fs';`],
  'apps/api/src/equal.ts': ['eqeqeq', `export const isOne = (n: unknown) => n == 1;`],
  'apps/api/src/var.ts': ['no-var', `export var one = 1;`],
  'apps/api/src/let.ts': ['prefer-const', `let one = 1;\nexport const two = one + 1;`],
  'apps/api/src/empty.ts': ['no-empty', `if (process.argv.length > 9) {\n}`],
  'apps/api/src/expected.test.ts': [
    'valid-expect',
    `import { expect, it } from 'vitest';\nit('asserts nothing', () => {\n  expect(1);\n});`,
  ],
  'apps/api/src/events.ts': [
    'no-restricted-globals',
    `export const open = () => new EventSource('https://[::1]');`,
  ],
  'apps/api/src/processOfNode.ts': [
    'no-restricted-imports',
    `import { env } from 'process';\nexport const port = env.PORT;`,
  ],
};
