// Replaces mongosh, which runs a script line by line and waits for each call by itself: here each call is a
// process that this one waits for.
//
// Usage: node test/support/stores/mongosh.ts <port> <script>. Supports the part of mongosh that
// docker/mongoHealth.js uses.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { MongoClient, type MongoServerError } from 'mongodb';

type Login = { username: string; password: string };
type Call = { port: string; database: string; command: Record<string, unknown>; login?: Login | undefined };
type Answer = { result: unknown } | { error: { message: string; code?: number | string; codeName?: string } };

const [port = '', script = ''] = process.argv.slice(2);
if (port === 'call') console.log(JSON.stringify(await call(JSON.parse(script) as Call)));
else runScript();

function runScript(): void {
  let login: Login | undefined;
  const run = (database: string, command: Record<string, unknown>, as = login) => {
    const asked: Call = { port, database, command, login: as };
    const output = execFileSync(process.execPath, [import.meta.filename, 'call', JSON.stringify(asked)], {
      encoding: 'utf8',
    });
    const answer = JSON.parse(output) as Answer;
    if ('error' in answer) throw Object.assign(new Error(answer.error.message), answer.error);
    return answer.result;
  };
  const getSiblingDB = (database: string) => ({
    runCommand: (command: Record<string, unknown>) => run(database, command),
    auth({ user, pwd }: { user: string; pwd: string }) {
      const given = { username: user, password: pwd };
      run(database, { ping: 1 }, given);
      login = given;
      return { ok: 1 };
    },
  });
  const quit = (code: number) => process.exit(code);
  runInNewContext(
    readFileSync(script, 'utf8'),
    { db: { getSiblingDB }, process: { env: process.env }, quit },
    { filename: script },
  );
}

async function call({ port: at, database, command, login }: Call): Promise<Answer> {
  const client = new MongoClient(
    `mongodb://127.0.0.1:${at}/?directConnection=true&serverSelectionTimeoutMS=2000`,
    {
      ...(login && { auth: login, authSource: 'admin' }),
    },
  );
  try {
    return { result: await client.db(database).command(command) };
  } catch (error) {
    const { message, code, codeName } = error as MongoServerError;
    return {
      error: { message, ...(code !== undefined && { code }), ...(codeName !== undefined && { codeName }) },
    };
  } finally {
    await client.close();
  }
}
