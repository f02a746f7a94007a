// `bindery up` with small stand-ins for its apps, to try the launcher alone.
import { join } from 'node:path';
import { up } from '../../apps/cli/src/commands/up.ts';
import { Refusal } from '../../apps/cli/src/refusal.ts';

try {
  process.exitCode = await up(process.argv.slice(2), process.env, join(import.meta.dirname, '../fixtures/standInApps'));
} catch (error) {
  console.error(error instanceof Refusal ? error.text : error);
  process.exitCode = 1;
}
