import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

export type ProgramFigures = { ms: number; peakBytes: number; outputBytes: number };

/**
 * Runs a program from start to end, and reads all that it prints. Peak memory is `VmHWM` of the kernel
 * (Linux).
 */
export async function measureProgram(program: string, args: readonly string[]): Promise<ProgramFigures> {
  const begunMs = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let peakBytes = 0;
  let outputBytes = 0;
  child.stdout.on('data', (chunk: Buffer) => (outputBytes += chunk.length));
  const look = setInterval(() => {
    peakBytes = Math.max(peakBytes, peakOf(child.pid));
  }, 5);
  const [code] = (await once(child, 'close')) as [number];
  clearInterval(look);
  if (code !== 0) throw new Error(`${program} ended with exit code ${code}.`);
  return { ms: performance.now() - begunMs, peakBytes, outputBytes };
}

function peakOf(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
