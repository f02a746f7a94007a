import { ExchangeError } from './exchangeError.ts';
import { exchangeLimits, type ExchangeLimits } from './limits.ts';
import { readTmx } from './tmx/readTmx.ts';
import type { Reading, ReadUnit, UnitProblem } from './reading.ts';
import type { ExchangePair } from './unit.ts';
import { readXliff12 } from './xliff/readXliff12.ts';
import { readXliff2 } from './xliff/readXliff2.ts';
import { readXml, type XmlElement, type XmlTag } from './xml/readXml.ts';

const formats = {
  tmx: (tag: XmlTag, reading: Reading) => (tag.name === 'tmx' ? readTmx(reading) : undefined),
  xliff: (tag: XmlTag, reading: Reading) => {
    if (tag.name !== 'xliff') return undefined;
    return tag.attribute('version')?.startsWith('2.') ? readXliff2(tag, reading) : readXliff12(tag, reading);
  },
};

/** Characters of an id, a role, or a problem. Those of tools are shorter. */
const maxName = 500;

/**
 * Cuts the names that a unit gives itself, and problems, which quote names. They are looked up and reported
 * for each unit, and one name, such as the language of a file, may be that of all units.
 */
function withShortNames<Unit extends ReadUnit | UnitProblem>(unit: Unit): Unit {
  const short = { ...unit, id: unit.id.slice(0, maxName) };
  if ('problem' in short) short.problem = short.problem.slice(0, maxName);
  else if (short.role !== undefined) short.role = short.role.slice(0, maxName);
  return short;
}

/**
 * Reads the units of a file, one by one as it arrives.
 *
 * Accepts what other tools write: other encodings, several files in one, marks, notes and elements of their
 * own. A unit with a fault is a problem of its own.
 *
 * @param format  `xliff` stands for its versions 1.0 to 1.2, and 2.0 and 2.1
 * @param pair  the languages that are wanted
 * @throws ExchangeError when the file is not of the format, or exceeds a limit
 */
export async function* readUnits(
  bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  {
    format,
    pair,
    limits = exchangeLimits,
  }: { format: keyof typeof formats; pair: ExchangePair; limits?: ExchangeLimits },
): AsyncGenerator<ReadUnit | UnitProblem> {
  let waiting: (ReadUnit | UnitProblem)[] = [];
  let count = 0;
  const refuse = ({ line, column }: { line: number; column: number }, message: string, action: string) =>
    new ExchangeError(message, { line, column, action });
  const root = (tag: XmlTag): XmlElement => {
    const found = (unit: ReadUnit | UnitProblem) => {
      count += 1;
      if (count > limits.units)
        throw refuse(
          { line: unit.line, column: 1 },
          `It has more than ${limits.units} units.`,
          'Split the file.',
        );
      waiting.push(withShortNames(unit));
    };
    const element = formats[format](tag, { pair, limits, found });
    if (element) return element;
    const name = format === 'tmx' ? 'TMX' : 'XLIFF';
    const begin = tag.name.slice(0, maxName);
    throw refuse(tag, `The file is not ${name}: it begins with <${begin}>.`, `Send a file of ${name}.`);
  };
  for await (const _piece of readXml(bytes, { limits, root })) {
    const units = waiting;
    waiting = [];
    yield* units;
  }
}
