import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { commands } from './commandList.ts';
import { summaries } from './summaries.ts';

/** Writes the URL of each module that a process loads. */
const listModules = `data:text/javascript,${encodeURIComponent(
  "import { registerHooks } from 'node:module';" +
    'registerHooks({ load: (url, context, next) => (console.error(url), next(url, context)) });',
)}`;

/** Runs `bindery`. @returns its output, and the modules that it loads */
async function run(...args: string[]): Promise<{ output: string; modules: string[] }> {
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const running = promisify(execFile)(process.execPath, ['--import', listModules, main, ...args]);
  const { stdout, stderr } = await running.catch((error: { stdout: string; stderr: string }) => error);
  const lines = stderr.split('\n');
  const modules = lines.filter((line) => line.startsWith('file:'));
  return { output: stdout + lines.filter((line) => !line.startsWith('file:')).join('\n'), modules };
}

describe('the list of commands', { timeout: 60_000 }, () => {
  it.each([
    [['--help'], 'bindery <command> [options]'],
    [[], 'token create'],
    [['nothing'], '"nothing" is not a command.'],
  ])('loads no command for %j', async (args, text) => {
    const { output, modules } = await run(...args);
    expect(output).toContain(text);
    const own = new URL('.', import.meta.url).href;
    expect(modules.map((url) => url.replace(own, '')).toSorted()).toEqual(
      ['main.ts', 'commandList.ts', 'options.ts', 'refusal.ts', 'summaries.ts'].toSorted(),
    );
  });

  it('has a summary for each command, in the same order', async () => {
    const loaded = await Promise.all(Object.values(commands).map(async (load) => load()));
    const named = loaded.flatMap(({ usages }) => usages.map(({ command }) => command));
    expect(named).toEqual(Object.keys(summaries));
  });
});
