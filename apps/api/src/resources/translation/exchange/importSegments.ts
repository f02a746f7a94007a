import { withoutIllegalCharacters } from '@bindery/exchange';
import {
  maxListedSource,
  TranslatedSegment,
  type ClientSession,
  type TranslatedSegmentRecord,
  type TranslationRecord,
} from '@bindery/models';
import type { Outcome } from './importFile.ts';
import { keepTexts } from './keepTexts.ts';
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
  const { organization, source, language } = translation;
  await keepTexts(
    { organization, pair: { source: source.language, target: language } },
    Array.from(changed.values(), ({ segment: { key, role, source: from }, text }) => ({
      ...{ key, role, source: from, text },
    })),
    async (session) => showPending(translation, { changed, session }),
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
    return 'Its source is not the one that has this id. Leave sources as they are.';
  return undefined;
}

async function showPending(
  { _id: translation }: TranslationRecord,
  { changed, session }: { changed: ReadonlyMap<string, { text: string }>; session: ClientSession },
): Promise<void> {
  const writes = Array.from(changed, ([key, { text: target }]) => ({
    updateMany: {
      filter: { translation, key, state: { $ne: 'removed' as const } },
      update: {
        $set: { state: 'human' as const, target, isPending: true as const },
        $unset: { reason: 1 as const, replaced: 1 as const, unknownWords: 1 as const },
        $inc: { version: 1 },
      },
    },
  }));
  await TranslatedSegment.collection.bulkWrite(writes as never, { session });
}
