import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { mongoClient } from '@bindery/models';

const program = join(import.meta.dirname, '../../../apps/cli/src/main.ts');

export type Command = {
  child: ChildProcess;
  /** All that it has printed so far. */
  output(): string;
  /** Resolves to the exit code or the name of the signal, and all that it printed. */
  ended: Promise<{ code: number | string; output: string }>;
};

/** Starts `bindery` with these arguments. @param input  what it reads; by default nothing */
export function startBindery(
  args: readonly string[],
  environment: Record<string, string> = {},
  input?: string,
): Command {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...environment },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  child.stdin?.end(input);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: (signal ?? code) as number | string,
    output,
  }));
  return { child, output: () => output, ended };
}

export async function runBindery(
  args: readonly string[],
  environment: Record<string, string> = {},
  input?: string,
): Promise<{ code: number | string; output: string }> {
  return startBindery(args, environment, input).ended;
}

/** A database beside that of this test process, on the same server. */
export type OtherDatabase = {
  environment: { MONGODB_URI: string };
  database: ReturnType<ReturnType<typeof mongoClient>['db']>;
};

/** Returns an empty database, beside that of this test process. */
export async function emptyOtherDatabase(name: string): Promise<OtherDatabase> {
  const uri = new URL(process.env.MONGODB_URI ?? '');
  const own = `${uri.pathname.slice(1)}-${name}`;
  uri.pathname = `/${own}`;
  const database = mongoClient().db(own);
  await database.dropDatabase();
  return { environment: { MONGODB_URI: uri.href }, database };
}
