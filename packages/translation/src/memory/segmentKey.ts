import { createHash } from 'node:crypto';
import type { SegmentRole } from '../page/segment.ts';
import type { Term } from '../text/glossary.ts';

/** All that a translation depends on. */
export type SegmentSource = {
  /** The id of the organization, which owns the memory. */
  organization: string;
  /** The languages, from and into. */
  pair: readonly [from: string, into: string];
  /** The engine, with its model and the version of its prompt if it has them. */
  engine: string;
  role: SegmentRole;
  /** With numbered placeholders, as `textOfParts` writes it: what they stand for changes no translation. */
  text: string;
  /** The terms of the glossary that occur in the text. */
  terms?: readonly Term[];
  /** Only for an engine that follows instructions. */
  instructions?: string;
};

/**
 * Returns the key of a segment in the memory of translations: 16 bytes. Neighbours do not count, so that a
 * text is translated once, wherever it stands.
 */
export function segmentKey(source: SegmentSource): Uint8Array {
  const { organization, pair, engine, role, text, terms = [], instructions = '' } = source;
  const used = terms.map((term) => [term.source, term.target]);
  const parts = JSON.stringify([organization, ...pair, engine, role, text, used, instructions]);
  return new Uint8Array(createHash('sha256').update(parts).digest().subarray(0, 16));
}

/**
 * Returns the key of a person's text for a segment: 16 bytes. It replaces the text of each engine, whatever
 * its terms and instructions are.
 */
export function humanKey({ organization, pair, role, text }: Omit<SegmentSource, 'engine'>): Uint8Array {
  return segmentKey({ organization, pair, engine: '', role, text });
}
