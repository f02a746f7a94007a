import type { DocumentTree, GlossaryEntry, Translation, TranslationSegment } from '@bindery/contract';
import type {
  GlossaryEntryRecord,
  MemberRecord,
  TranslatedSegmentRecord,
  TranslationRecord,
} from '@bindery/models';
import { translationPermissions } from '../../permissions/translation.ts';
import type { Links } from '../../presenters/links.ts';

/**
 * @param isRunning    whether a worker runs a job of the translation
 * @param showsResult  whether the member may see the space of the result
 */
export function presentTranslation(
  translation: TranslationRecord,
  {
    links,
    member,
    isRunning,
    showsResult,
  }: { links: Links; member: Pick<MemberRecord, 'role'>; isRunning: boolean; showsResult: boolean },
): Translation {
  const { _id: id, organization, source, language, stats, result } = translation;
  const { space, revision } = result;
  const statusAtRest = revision === undefined ? 'pending' : 'completed';
  return {
    object: 'translation',
    id,
    status: isRunning ? 'running' : statusAtRest,
    source: { space: source.space, language: source.language },
    language,
    instructions: JSON.parse(translation.instructions) as DocumentTree,
    result: revision !== undefined && showsResult ? { space, revision, language } : undefined,
    createdAt: translation.createdAt.toISOString(),
    updatedAt: translation.updatedAt.toISOString(),
    stats: { ...stats },
    permissions: translationPermissions(member, { seesSource: true }),
    urls: { location: links.api(`/orgs/${organization}/translations/${id}`) },
  };
}

export function presentGlossaryEntry(
  { _id: id, organization, translations, createdAt, updatedAt }: GlossaryEntryRecord,
  links: Links,
): GlossaryEntry {
  return {
    object: 'glossary-entry',
    id,
    translations,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    urls: { location: links.api(`/orgs/${organization}/translations-glossary/${id}`) },
  };
}

export function presentSegment(
  segment: TranslatedSegmentRecord,
  { translation: { _id, organization }, links }: { translation: TranslationRecord; links: Links },
): TranslationSegment {
  const { page, title, key, role, state, source, target, reason, replaced, words } = segment;
  const id = `${page}:${key}`;
  return {
    object: 'translation-segment',
    ...{ id, state, page: { id: page, title }, role: role as TranslationSegment['role'] },
    ...{ source, target, reason, pending: segment.isPending === true },
    replaced: replaced && { source: replaced.source, target: replaced.target },
    ...{ words, unknownWords: segment.unknownWords ?? 0 },
    urls: {
      location: links.api(`/orgs/${organization}/translations/${_id}/segments/${encodeURIComponent(id)}`),
    },
  };
}
