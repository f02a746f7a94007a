// `bindery up` with other apps, for testing the launcher: node upWithStandIns.ts <folder below test/fixtures>
// [arguments...]
import { join } from 'node:path';
import { up } from '../../../apps/cli/src/commands/up.ts';
import { Refusal } from '../../../apps/cli/src/refusal.ts';

const [appsFolder = '', ...args] = process.argv.slice(2);
try {
  process.exitCode = await up(args, process.env, join(import.meta.dirname, '../../fixtures', appsFolder));
} catch (error) {
  console.error(error instanceof Refusal ? error.text : error);
  process.exitCode = 1;
}
// Like the command itself.
setTimeout(() => process.exit(), 1_000).unref();
