import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const project = resolve(import.meta.dirname, '../..');

/** The files that say what the house rules are. */
const rules = ['.dependency-cruiser.cjs', '.oxfmtrc.json', '.oxlintrc.json', 'knip.json', 'tsconfig.json'];
const scripts = [
  'check.ts',
  'check-lockfile.ts',
  'lockfile.ts',
  'lint-folders.ts',
  'lint-imports.ts',
  'lint-lines.ts',
].map((name) => `scripts/${name}`);

export type House = {
  write(files: Record<string, string>): void;
  run(command: string): { status: number | null; output: string };
  remove(): void;
};

/**
 * A small project in a temporary folder that follows every rule of this one: the same rule files and
 * commands, packages of the same names, the same libraries (by links). A check must find every
 * violation that a test plants there.
 */
export function buildHouse(): House {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-house-'));
  const write = (files: Record<string, string>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  mkdirSync(join(folder, 'scripts'));
  for (const file of [...rules, ...scripts]) copyFileSync(join(project, file), join(folder, file));
  write(sources);
  const { scripts: checks } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const manifests = Object.fromEntries(
    Object.entries(workspaces).map(([place, dependencies]) => [place, manifest(place, dependencies)]),
  );
  const root = {
    name: 'house',
    private: true,
    type: 'module',
    workspaces: ['packages/*', 'apps/*'],
    scripts: checks,
    devDependencies: tools,
  };
  for (const [place, content] of Object.entries({ '.': root, ...manifests }))
    write({ [`${place}/package.json`]: json(content) });
  write({ 'package-lock.json': json(lockfile({ '': root, ...manifests })) });
  linkPackages(folder);
  return {
    write,
    run(command) {
      const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, PATH: `node_modules/.bin:${process.env.PATH}`, NO_COLOR: '1' },
      });
      return { status, output: stdout + stderr };
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

const tools = Object.fromEntries(
  ['knip', 'oxfmt', 'oxlint', 'oxlint-tsgolint', 'typescript', '@types/node', '@types/express'].map(
    (name) => [name, '1.0.0'],
  ),
);

/** Every workspace with its dependencies. Each dependency is used by the sources below. */
const workspaces: Record<string, string[]> = {
  'packages/contract': ['zod'],
  'packages/runtime': ['@bindery/contract', 'pino'],
  'packages/outbound': ['undici'],
  'packages/models': ['mongoose'],
  'packages/storage': [],
  'packages/dialect': [],
  'packages/pdf': [],
  'packages/content': [],
  'packages/jobs': [],
  'packages/worker': [],
  'apps/api': ['@bindery/runtime', 'express'],
  'apps/cli': ['@bindery/runtime'],
  'apps/worker-git': ['@bindery/models', '@bindery/outbound'],
};

const sources = {
  'packages/contract/src/index.ts': `import { z } from 'zod';\n\nexport const Id = z.string();\n`,
  'packages/runtime/src/index.ts': `import { Id } from '@bindery/contract';\nimport { pino } from 'pino';\n\nexport { createServer } from './httpServer.ts';\n\nexport const logger = pino({ name: Id.parse(process.env.NAME) });\n`,
  'packages/runtime/src/httpServer.ts': `export { createServer } from 'node:http';\n`,
  'packages/outbound/src/index.ts': `import { connect } from 'node:net';\nimport { Agent } from 'undici';\n\nexport const agent = new Agent();\nexport const socket = connect(80);\n`,
  'packages/models/src/index.ts': `import mongoose from 'mongoose';\n\nexport const Space = mongoose.model('Space', new mongoose.Schema({}));\n`,
  'packages/storage/src/index.ts': `export {};\n`,
  'packages/dialect/src/index.ts': `export {};\n`,
  'packages/pdf/src/index.ts': `export {};\n`,
  'packages/content/src/index.ts': `export {};\n`,
  'packages/jobs/src/index.ts': `export {};\n`,
  'packages/worker/src/index.ts': `export {};\n`,
  'apps/api/src/main.ts': `import { createServer, logger } from '@bindery/runtime';\nimport express from 'express';\n\ncreateServer(express()).listen(0, () => logger.info('listening'));\n`,
  'apps/cli/src/main.ts': `import { logger } from '@bindery/runtime';\n\nconst answer = await fetch(process.env.URL ?? '');\nlogger.info(answer.status);\nconsole.log(answer.status);\n`,
  // An import of types only couples to no connection.
  'apps/worker-git/src/main.ts': `import type { IncomingHttpHeaders } from 'node:http';\nimport { Space } from '@bindery/models';\nimport { agent, socket } from '@bindery/outbound';\n\nconst headers: IncomingHttpHeaders = {};\nsocket.end(JSON.stringify({ headers, agent, name: Space.modelName }));\n`,
};

function manifest(place: string, dependencies: string[]) {
  return {
    name: `@bindery/${place.split('/')[1]}`,
    private: true,
    type: 'module',
    ...(place.startsWith('packages/') && { exports: './src/index.ts' }),
    dependencies: Object.fromEntries(
      dependencies.map((name) => [name, name.startsWith('@bindery/') ? '*' : '1.0.0']),
    ),
  };
}

function lockfile(
  manifests: Record<
    string,
    { dependencies?: Record<string, string>; devDependencies?: Record<string, string> }
  >,
) {
  const names = Object.values(manifests).flatMap((each) =>
    Object.keys({ ...each.dependencies, ...each.devDependencies }),
  );
  const entries = names.map((name) =>
    name.startsWith('@bindery/')
      ? [`node_modules/${name}`, { resolved: `packages/${name.slice('@bindery/'.length)}`, link: true }]
      : [`node_modules/${name}`, { version: '1.0.0', integrity: 'sha512-' }],
  );
  return { name: 'house', lockfileVersion: 3, packages: { ...manifests, ...Object.fromEntries(entries) } };
}

/**
 * A node_modules whose libraries are links to those of the project, and whose @bindery/* are the packages of
 * the house.
 */
function linkPackages(folder: string): void {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@bindery'), { recursive: true });
  for (const name of readdirSync(join(project, 'node_modules'))) {
    if (name !== '@bindery') symlinkSync(join(project, 'node_modules', name), join(modules, name));
  }
  for (const place of Object.keys(workspaces))
    symlinkSync(join(folder, place), join(modules, '@bindery', place.split('/')[1] ?? ''));
}
