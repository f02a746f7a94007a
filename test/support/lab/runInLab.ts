import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const enter = fileURLToPath(new URL('./enter.sh', import.meta.url));

/**
 * Returns why the lab cannot run on this machine, if so: it needs Linux, `unshare`, `ip` and permission to
 * use them.
 */
export function missingLab(): string | undefined {
  if (process.platform !== 'linux') return 'network namespaces are a thing of Linux';
  try {
    execFileSync(enter, ['true'], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: Buffer | string };
    return `no network namespace can be made here: ${String(stderr).trim() || message}`;
  }
}

/**
 * Runs a Node script inside the lab and returns the JSON that it prints.
 *
 * The script calls `startLab()` for the environment of `lab.ts`; it can reach nothing outside.
 * @throws Error when it fails, prints other text or takes longer than `timeoutMs`
 */
export async function runInLab(
  script: URL,
  { args = [], timeoutMs = 60_000 }: { args?: string[]; timeoutMs?: number } = {},
): Promise<unknown> {
  const child = spawn(enter, [process.execPath, fileURLToPath(script), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  const [output, errors, [status, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (status !== 0) throw new Error(`The script in the lab ended with ${status ?? signal}: ${errors}`);
  return JSON.parse(output);
}
