import { commands } from './commandList.ts';
import { helpText } from './options.ts';
import { Refusal } from './refusal.ts';
import { summaries, type CommandWord } from './summaries.ts';

/** Former names of commands, in the service files of earlier versions. */
const formerly: Record<string, CommandWord> = { migrate: 'upgrade' };

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // A refusal is for the user at the terminal; any other error is a bug, and its stack shows where.
  console.error(error instanceof Refusal ? error.text : error);
  process.exitCode = 1;
}
// Leftovers of a failed start must not keep a command from exiting.
setTimeout(() => process.exit(), 1_000).unref();

async function main([given, ...args]: string[]): Promise<number> {
  const name = given !== undefined && Object.hasOwn(formerly, given) ? formerly[given] : given;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    console.log(overview());
    return name === undefined ? 1 : 0;
  }
  if (!isCommand(name))
    throw new Refusal(`"${name}" is not a command.`, [
      `Choose from ${Object.keys(commands).join(', ')}; see \`bindery --help\`.`,
    ]);
  const command = await commands[name]();
  if (args.includes('--help') || args.includes('-h')) {
    const [verb] = args;
    const usages = command.usages.filter(({ command: full }) => full === `${name} ${verb}`);
    console.log((usages.length > 0 ? usages : command.usages).map(helpText).join('\n\n'));
    return 0;
  }
  return command.run(args, process.env);
}

function isCommand(name: string): name is CommandWord {
  return Object.hasOwn(commands, name);
}

function overview(): string {
  const rows = Object.entries(summaries).map(([command, summary]) => `  ${command.padEnd(18)} ${summary}`);
  return ['bindery <command> [options]', '', ...rows, '', 'Each command shows its options with --help.'].join(
    '\n',
  );
}
