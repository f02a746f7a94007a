import { doctor, doctorUsage } from './commands/doctor.ts';
import { fonts, fontsUsage } from './commands/fonts.ts';
import { pdf, pdfUsage } from './commands/pdf/pdf.ts';
import { migrate, migrateUsage } from './commands/migrate.ts';
import { token, tokenUsages } from './commands/token.ts';
import { up, upUsage } from './commands/up.ts';
import { helpText, type Usage } from './options.ts';
import { Refusal } from './refusal.ts';

type Command = {
  usages: readonly Usage[];
  run(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number>;
};

const commands: Record<string, Command> = {
  up: { usages: [upUsage], run: up },
  doctor: { usages: [doctorUsage], run: doctor },
  token: { usages: tokenUsages, run: token },
  pdf: { usages: [pdfUsage], run: pdf },
  migrate: { usages: [migrateUsage], run: migrate },
  fonts: { usages: [fontsUsage], run: fonts },
};

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // A refusal is for the user at the terminal; any other error is a bug, and its stack shows where.
  console.error(error instanceof Refusal ? error.text : error);
  process.exitCode = 1;
}
// Leftovers of a failed start must not keep a command from exiting.
setTimeout(() => process.exit(), 1_000).unref();

async function main([name, ...args]: string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    console.log(overview());
    return name === undefined ? 1 : 0;
  }
  const command = commands[name];
  if (!command)
    throw new Refusal(`"${name}" is not a command.`, [
      `Choose from ${Object.keys(commands).join(', ')}; see \`bindery --help\`.`,
    ]);
  if (args.includes('--help') || args.includes('-h')) {
    const [verb] = args;
    const usages = command.usages.filter(({ command: full }) => full === `${name} ${verb}`);
    console.log((usages.length > 0 ? usages : command.usages).map(helpText).join('\n\n'));
    return 0;
  }
  return command.run(args, process.env);
}

function overview(): string {
  const rows = Object.values(commands).flatMap(({ usages }) =>
    usages.map(({ command, summary }) => `  ${command.padEnd(14)} ${summary}`),
  );
  return ['bindery <command> [options]', '', ...rows, '', 'Each command shows its options with --help.'].join(
    '\n',
  );
}
