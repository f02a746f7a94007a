import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';

/**
 * Applies the import rules of .dependency-cruiser.cjs to all source files, and checks that every file was
 * read: without a parser for TypeScript, dependency-cruiser reads no .ts file and reports success. Also
 * checks that no two resources of the API import each other, because dependency-cruiser cannot compare pairs
 * of folders.
 */
async function lintImports(): Promise<number> {
  const folders = ['apps', 'packages', 'scripts', 'test'].filter((folder) => existsSync(folder));
  const { modules, summary } = await cruise(folders);

  const read = new Set(modules.map((module) => module.source));
  const present = folders.flatMap((folder) =>
    globSync(`${folder}/**/*.ts`, { exclude: (path) => /(^|\/)(node_modules|fixtures)$/.test(path) }),
  );
  const missed = present.filter((file) => !read.has(file) && !/\/(node_modules|fixtures)\//.test(file));

  for (const { from, to, rule, unresolvedTo, cycle } of summary.violations) {
    const target = cycle ? cycle.map((step) => step.name).join(' -> ') : (unresolvedTo ?? to);
    console.error(
      `${from} -> ${target}\n    ${rule.name}: ${summary.ruleSetUsed.forbidden.find(({ name }) => name === rule.name)?.comment}`,
    );
  }
  const mutual = mutualImports(modules);
  for (const { from, to } of mutual) {
    console.error(
      `${from} -> ${to}\n    resources-one-way: Two resources import each other; move what both need to presenters, records or input.`,
    );
  }
  const circular = circularImports(modules);
  for (const { from, to } of circular) {
    console.error(
      `${from} -> ${to}\n    folders-without-circles: The imports of these folders form a circle; move what several need to a folder that imports none of them.`,
    );
  }
  if (missed.length > 0) {
    console.error(
      `${missed.length} of ${present.length} source files were not read, so nothing is known about their imports:`,
    );
    for (const file of missed.slice(0, 10)) console.error(`    ${file}`);
    console.error('Is @swc/core installed?');
  }
  const forbidden = summary.violations.length + mutual.length + circular.length;
  console.log(
    `${forbidden} forbidden imports in ${present.length - missed.length} of ${present.length} source files`,
  );
  return forbidden + missed.length > 0 || present.length === 0 ? 1 : 0;
}

/** Packages and apps whose folders must not import each other in a circle. */
const layered = ['packages/contract', 'packages/models', 'apps/cli'];

type Import = { from: string; to: string };

/** Imports between two resources of the API that import each other. */
function mutualImports(modules: Report['modules']): Import[] {
  const between = importsBetween(modules, resourceOf);
  const known = new Set(between.map(({ one, other }) => `${one} ${other}`));
  return between.filter(({ one, other }) => known.has(`${other} ${one}`));
}

/** Imports from one folder of a package to another from which imports lead back to the first. */
function circularImports(modules: Report['modules']): Import[] {
  const between = importsBetween(modules, layeredFolderOf);
  const imported = new Map(
    [...Map.groupBy(between, ({ one }) => one)].map(([one, all]) => [one, all.map(({ other }) => other)]),
  );
  return between.filter(({ one, other }) => {
    const reached = new Set([other]);
    for (const folder of reached) for (const next of imported.get(folder) ?? []) reached.add(next);
    return reached.has(one);
  });
}

/** Imports of files without tests that lead from one group of files to another. */
function importsBetween(
  modules: Report['modules'],
  groupOf: (file: string) => string | undefined,
): (Import & { one: string; other: string })[] {
  return modules.flatMap(({ source, dependencies }) => {
    const one = isTest.test(source) ? undefined : groupOf(source);
    return dependencies.flatMap(({ resolved }) => {
      const other = groupOf(resolved);
      return one === undefined || other === undefined || one === other
        ? []
        : [{ from: source, to: resolved, one, other }];
    });
  });
}

const isTest = /\.test(-d)?\.ts$/;

function resourceOf(file: string): string | undefined {
  return /^apps\/api\/src\/resources\/([^/]+)\//.exec(file)?.[1];
}

/** The folder below `src` of a file in one of `layered`. */
function layeredFolderOf(file: string): string | undefined {
  const [, name = '', folder] = /^((?:packages|apps)\/[^/]+)\/src\/([^/]+)\//.exec(file) ?? [];
  return layered.includes(name) && folder !== undefined ? `${name}/${folder}` : undefined;
}

type Report = {
  modules: { source: string; dependencies: { resolved: string }[] }[];
  summary: {
    violations: {
      from: string;
      to: string;
      unresolvedTo?: string;
      rule: { name: string };
      cycle?: { name: string }[];
    }[];
    ruleSetUsed: { forbidden: { name: string; comment: string }[] };
  };
};

function cruise(folders: string[]): Promise<Report> {
  const tool = [
    'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'json',
  ];
  return new Promise((resolve, reject) => {
    // The exit code only counts the violations; the report has the details.
    execFile(
      process.execPath,
      [...tool, ...folders],
      { maxBuffer: 256 * 1024 * 1024 },
      (_error, stdout, stderr) => {
        try {
          resolve(JSON.parse(stdout) as Report);
        } catch (cause) {
          reject(new Error(`dependency-cruiser gave no report: ${stderr || stdout}`, { cause }));
        }
      },
    );
  });
}

process.exitCode = await lintImports();
