import type { Finding } from '@bindery/openapi';
import { parseOptions, type Usage } from '../../options.ts';
import { Refusal } from '../../refusal.ts';
import { readLocal, shownPath } from './localSpecification.ts';
import { formatOf, formatOption, type ReportEntry } from '../report.ts';

export const lintUsage = {
  command: 'openapi lint',
  operands: '<file or URL>',
  options: {
    ...formatOption,
    'no-style': { help: 'Leave out remarks on the style.' },
    'fail-on-warnings': { help: 'Exit with 1 for warnings too.' },
  },
} satisfies Usage;

/**
 * Reads a specification as an installation does, and prints what is wrong with it.
 *
 * @returns 1 when there are errors, else 0
 */
export async function lint(args: readonly string[]): Promise<number> {
  const { values, operands } = parseOptions(lintUsage, args);
  const [operand] = operands;
  if (operand === undefined || operands.length > 1)
    throw new Refusal('`bindery openapi lint` needs one file or URL.');
  const format = formatOf(values.format);
  const read = await readLocal(operand);
  const entries = read.findings.map(entryOf);
  if (read.isUsable && !values['no-style']) entries.push(...(await styleOf(read.bundle)));
  process.stdout.write(format({ title: `bindery openapi lint ${operand}`, entries }));
  const fails = entries.some(
    ({ level }) => level === 'error' || (level === 'warning' && values['fail-on-warnings'] === true),
  );
  return fails ? 1 : 0;
}

async function styleOf(bundle: string): Promise<ReportEntry[]> {
  const { lintSpecification } = await import('@bindery/openapi');
  const { findings } = await lintSpecification(bundle);
  // Lines are those of the bundle, which the user does not have. A style is no reason to fail.
  return findings.map((finding) => ({
    level: 'warning',
    rule: finding.rule,
    message: finding.message,
    subject: finding.pointer === '' ? undefined : finding.pointer,
  }));
}

const levels = { error: 'error', warning: 'warning', info: 'notice' } as const;

function entryOf({ severity, rule, message, file, line, column }: Finding): ReportEntry {
  return { level: levels[severity], rule, message, file: shownPath(file), line, column };
}
