import { withoutIllegalCharacters } from '@bindery/exchange';
import {
  maxListedSource,
  TranslatedSegment,
  type TranslatedSegmentRecord,
  type TranslationRecord,
} from '@bindery/models';
import type { Outcome } from './importFile.ts';
import { keepTexts, pairOf, showTexts } from './keepTexts.ts';
import type { TranslatedUnit } from './unitsOfFile.ts';

type Segment = Pick<TranslatedSegmentRecord, 'key' | 'role' | 'source' | 'target'>;

/** Stores translations of an XLIFF file, as texts of a person for the segments that the units name. */
export async function storeSegments(
  units: readonly TranslatedUnit[],
  translation: TranslationRecord,
): Promise<Outcome[]> {
  const segments = await findSegments(
    translation,
    units.map(({ id }) => id),
  );
  const changed = new Map<string, { segment: Segment; text: string }>();
  const outcomes = units.map((unit): Outcome => {
    const segment = segments.get(unit.id);
    const problem = problemOf(unit, segment);
    if (problem !== undefined || !segment) return { problem: problem ?? '' };
    const target = segment.target === undefined ? undefined : withoutIllegalCharacters(segment.target);
    if (unit.target === target) return 'unchanged';
    if (unit.failure !== undefined) return { problem: unit.failure };
    changed.set(segment.key, { segment, text: unit.target });
    return 'stored';
  });
  const { organization } = translation;
  const texts = Array.from(changed.values(), ({ segment: { key, role, source }, text }) => ({
    ...{ key, role, source, text },
  }));
  await keepTexts({ organization, pair: pairOf(translation) }, texts, async (session) =>
    showTexts(translation, texts, session),
  );
  return outcomes;
}

/** By key. A text that several pages have is the same segment for a translator. */
async function findSegments(
  { _id: translation }: TranslationRecord,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Segment>> {
  const found = await TranslatedSegment.find(
    { translation, key: { $in: keys }, state: { $ne: 'removed' } },
    { key: 1, role: 1, source: 1, target: 1 },
  ).lean<Segment[]>();
  return new Map(found.map((segment) => [segment.key, segment]));
}

function problemOf({ source }: TranslatedUnit, segment: Segment | undefined): string | undefined {
  if (!segment) return 'Its source is no longer in the translation.';
  if (segment.source.length >= maxListedSource) return 'Its source is too long to be translated.';
  if (withoutIllegalCharacters(segment.source) !== source)
    return 'Its source does not belong to this id. Do not change sources.';
  return undefined;
}
