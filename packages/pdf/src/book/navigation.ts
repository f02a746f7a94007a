import { JobError } from '@bindery/contract/jobErrors';
import { limits } from '../limits.ts';
import type { OutlineEntry } from '../messages.ts';
import { overLimit } from '../problems.ts';
import { writeBytes, writeText } from '../syntax/text.ts';
import { writeNumber } from '../syntax/value.ts';
import type { ObjectFile } from './objectFile.ts';

/** A place in the book that links and the outline lead to. */
export type Destination = {
  /** Number of the page's object. */
  page: number;
  x: number;
  y: number;
  /** Number of the heading's element. */
  element: number | undefined;
  /** The heading, or the id of another element. */
  title: string;
};

const entriesOfNode = 200;

/** The text string by which links name a destination. */
export function writeDestinationName(id: string): string {
  return writeBytes(Buffer.from(id).toString('latin1'));
}

function writePlace({ page, x, y }: Destination): string {
  return `[${page} 0 R/XYZ ${writeNumber(x)} ${writeNumber(y)} 0]`;
}

/** Writes the name tree of all destinations. @returns the number of its root */
export function writeDestinations(file: ObjectFile, destinations: ReadonlyMap<string, Destination>): number {
  const names = [...destinations.keys()]
    .map((id) => ({ id, bytes: Buffer.from(id) }))
    .toSorted((one, other) => Buffer.compare(one.bytes, other.bytes))
    .map(({ id }) => id);
  const nodes: string[] = [];
  for (let at = 0; at < names.length; at += entriesOfNode) {
    const some = names.slice(at, at + entriesOfNode);
    const entries = some.map((id) => `${writeDestinationName(id)}${writePlace(destinations.get(id)!)}`);
    const bounds = `${writeDestinationName(some[0]!)}${writeDestinationName(some.at(-1)!)}`;
    nodes.push(`${file.addObject(`<</Limits[${bounds}]/Names[${entries.join('')}]>>`)} 0 R`);
  }
  return file.addObject(`<</Kids[${nodes.join(' ')}]>>`);
}

/**
 * Writes the outline.
 *
 * @returns the number of its root, undefined when it is empty
 * @throws JobError when an entry leads to an unknown id
 */
export function writeOutline(
  file: ObjectFile,
  outline: readonly OutlineEntry[],
  destinations: ReadonlyMap<string, Destination>,
): number | undefined {
  if (outline.length === 0) return undefined;
  const root = file.allocate();
  let written = 0;
  const writeLevel = (entries: readonly OutlineEntry[], parent: number, depth: number): string => {
    if (depth > limits.outlineDepth) throw overLimit('its outline is nested too deeply');
    const numbers = entries.map(() => file.allocate());
    for (const [index, { title, id, children = [] }] of entries.entries()) {
      written += 1;
      if (written > limits.outlineEntries)
        throw overLimit(`its outline has more than ${limits.outlineEntries} entries`);
      const destination = destinations.get(id);
      if (!destination) throw new JobError('internal', `The outline leads to ${id}, which is no heading.`);
      const before = index > 0 ? `/Prev ${numbers[index - 1]} 0 R` : '';
      const after = index + 1 < numbers.length ? `/Next ${numbers[index + 1]} 0 R` : '';
      const element = destination.element === undefined ? '' : `/SE ${destination.element} 0 R`;
      // A negative count: the reader opens the entry when it wants to see what is below it.
      const below =
        children.length === 0
          ? ''
          : `${writeLevel(children, numbers[index]!, depth + 1)}/Count -${children.length}`;
      file.writeObject(
        numbers[index]!,
        `<</Title ${writeText(title)}/Parent ${parent} 0 R${before}${after}${below}/Dest${writePlace(destination)}${element}>>`,
      );
    }
    return `/First ${numbers[0]} 0 R/Last ${numbers.at(-1)} 0 R`;
  };
  const ends = writeLevel(outline, root, 0);
  file.writeObject(root, `<</Type/Outlines${ends}/Count ${outline.length}>>`);
  return root;
}

/** Labels of sheets: i, ii, iii for the front, then from 1. */
export function writePageLabels(frontSheets: number): string {
  return frontSheets === 0 ? '<</Nums[0<</S/D>>]>>' : `<</Nums[0<</S/r>>${frontSheets}<</S/D>>]>>`;
}
