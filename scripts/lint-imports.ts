import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';

/**
 * Applies the import rules of .dependency-cruiser.cjs to every source file of ours, and checks that every one was read:
 * without a parser that knows TypeScript, dependency-cruiser reads no .ts file, finds nothing wrong and says so.
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
  if (missed.length > 0) {
    console.error(`${missed.length} of ${present.length} source files were not read, so nothing is known about their imports:`);
    for (const file of missed.slice(0, 10)) console.error(`    ${file}`);
    console.error('Is @swc/core installed?');
  }
  console.log(`${summary.violations.length} forbidden imports in ${present.length - missed.length} of ${present.length} source files`);
  return summary.violations.length + missed.length > 0 || present.length === 0 ? 1 : 0;
}

type Report = {
  modules: { source: string }[];
  summary: {
    violations: { from: string; to: string; unresolvedTo?: string; rule: { name: string }; cycle?: { name: string }[] }[];
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
    // The exit code only counts the violations, and the report tells more.
    execFile(process.execPath, [...tool, ...folders], { maxBuffer: 256 * 1024 * 1024 }, (_error, stdout, stderr) => {
      try {
        resolve(JSON.parse(stdout) as Report);
      } catch (cause) {
        reject(new Error(`dependency-cruiser gave no report: ${stderr || stdout}`, { cause }));
      }
    });
  });
}

process.exitCode = await lintImports();
