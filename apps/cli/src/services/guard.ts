// Runs a program that must not outlive the launcher, where the system has no parent-death signal:
//     node guard.ts <program> [arguments...]
// The launcher's end closes this process's channel, and that ends the program.
import { spawn } from 'node:child_process';

const [program, ...args] = process.argv.slice(2);
if (!program) throw new Error('usage: node guard.ts <program> [arguments...]');

const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
const end = () => child.kill('SIGTERM');
process.on('disconnect', end);
process.on('SIGTERM', end);
process.on('SIGINT', end);
child.on('error', (error) => {
  console.error(error.message);
  process.exit(127);
});
child.on('exit', (code) => process.exit(code ?? 1));
