import { parseArgs } from 'node:util';
import { Refusal } from './refusal.ts';
import { summaries, type CommandName } from './summaries.ts';

/**
 * An option of a command: a switch or, with `value`, an option with a value, shown as `--port N`. `short` is
 * a letter for `-o`.
 */
export type Option = { value?: string; short?: string; help: string };

/** Names the installation of a command; part of its options. */
export const dataOption = {
  data: { value: 'DIR', help: 'Folder of the running installation (default: .bindery in the project).' },
};

/** A command, as shown by `--help` with its summary. */
export type Usage = { command: CommandName; operands?: string; options: Record<string, Option> };

export type Parsed<U extends Usage> = {
  values: {
    [Name in keyof U['options']]?: U['options'][Name] extends { value: string } ? string : boolean;
  } & { help?: boolean };
  operands: string[];
};

/**
 * Parses the arguments of a command.
 *
 * @throws Refusal for an unknown option, a missing value, or too many operands
 */
export function parseOptions<const U extends Usage>(usage: U, args: readonly string[]): Parsed<U> {
  const seeHelp = [`See \`bindery ${usage.command} --help\`.`];
  const options: Record<string, { type: 'string' | 'boolean'; short?: string }> = {
    help: { type: 'boolean' },
  };
  for (const [name, { value, short }] of Object.entries(usage.options as Record<string, Option>))
    options[name] = {
      type: value === undefined ? 'boolean' : 'string',
      ...(short !== undefined && { short }),
    };
  // Not strict: its messages mention positional arguments when an option is mistyped.
  const { tokens } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });

  const values: Record<string, string | boolean> = {};
  const operands: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value);
    if (token.kind !== 'option') continue;
    const option = options[token.name];
    if (!option)
      throw new Refusal(
        `${token.rawName} is not an option of \`bindery ${usage.command}\`.${suggestion(token.name, options)}`,
        seeHelp,
      );
    if (option.type === 'boolean') {
      if (token.value !== undefined) throw new Refusal(`${token.rawName} takes no value.`, seeHelp);
      values[token.name] = true;
    } else {
      // A value that looks like an option means that the value was forgotten.
      if (!token.value || (!token.inlineValue && token.value.startsWith('-')))
        throw new Refusal(
          `${token.rawName} needs a value: ${token.rawName} ${usage.options[token.name]?.value}.`,
          seeHelp,
        );
      values[token.name] = token.value;
    }
  }
  if (operands.length > 0 && usage.operands === undefined)
    throw new Refusal(`\`bindery ${usage.command}\` takes no "${operands[0]}".`, seeHelp);
  return { values, operands } as Parsed<U>;
}

/** The text of `--help`. */
export function helpText(usage: Usage): string {
  const rows = Object.entries({ ...usage.options, help: { help: 'Show this.' } as Option }).map(
    ([name, { value, short, help }]) => {
      const names = `${short === undefined ? '' : `-${short}, `}--${name}`;
      return `  ${`${names}${value === undefined ? '' : ` ${value}`}`.padEnd(30)} ${help}`;
    },
  );
  return [
    `bindery ${usage.command}${usage.operands ? ` ${usage.operands}` : ''} [options]`,
    '',
    summaries[usage.command],
    '',
    ...rows,
  ].join('\n');
}

/** @throws Refusal  for anything but a whole number between the bounds */
export function parseWhole(name: string, text: string, [min, max]: readonly [number, number]): number {
  const number = Number(text);
  if (!/^\d{1,9}$/.test(text) || number < min || number > max)
    throw new Refusal(`${name} must be a whole number from ${min} to ${max}, not "${text}".`);
  return number;
}

function suggestion(name: string, options: Record<string, unknown>): string {
  const close = Object.keys(options).find(
    (known) => known.startsWith(name) || name.startsWith(known) || isOneEditApart(known, name),
  );
  return close ? ` Did you mean --${close}?` : '';
}

/** Whether two words differ by one added, missing or changed letter, or by two swapped ones. */
function isOneEditApart(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const rest = [a.slice(start), b.slice(start)] as const;
  const [x, y] = rest;
  return (
    x.slice(1) === y.slice(1) ||
    x.slice(1) === y ||
    x === y.slice(1) ||
    (x.slice(2) === y.slice(2) && x[0] === y[1] && x[1] === y[0])
  );
}
