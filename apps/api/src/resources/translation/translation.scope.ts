import { Id, notFound } from '@bindery/contract';
import {
  GlossaryEntry,
  TranslatedSegment,
  Translation,
  type GlossaryEntryRecord,
  type TranslatedSegmentRecord,
  type TranslationRecord,
} from '@bindery/models';
import { qualified } from '../../permissions/role.ts';
import { translationPermissions } from '../../permissions/translation.ts';
import { inOrganization } from '../organization/organization.scope.ts';
import { roleInResult, seesTranslation } from './visibleTranslations.ts';
import { versionOf } from '../../records/versionOf.ts';

/** A translation whose source the member may see; for others it does not exist. */
export const inTranslation = inOrganization.scope({
  name: 'Translation',
  path: '/translations/:translationId',
  params: { translationId: Id },
  load: async ({ organization, member, params }) => {
    const translation = await Translation.findOne({
      _id: params.translationId,
      organization: organization._id,
    }).lean<TranslationRecord>();
    const seesSource = translation !== null && (await seesTranslation(translation, member));
    if (!translation || !seesSource) throw notFound('translation', params.translationId);
    return { translation, seesSource };
  },
  permissions: ({ member, seesSource }) =>
    qualified('translation', translationPermissions(member, { seesSource })),
  version: ({ translation }) => versionOf(Translation, { _id: translation._id }),
});

/** A translation with the caller's role in its result, for operations that write to the result. */
export const inTranslationWithResult = inTranslation.scope({
  name: 'Translation',
  path: '',
  params: {},
  load: async ({ translation, member }) => ({ resultRole: await roleInResult(translation, member) }),
  permissions: () => ({}),
});

/** A text of a translation, for members who may see the result, with the caller's role there. */
export const inTranslationSegment = inTranslation.scope({
  name: 'Text of a translation',
  path: '/segments/:segmentId',
  params: { segmentId: Id },
  load: async ({ translation, member, params: { segmentId } }) => {
    const segment = await TranslatedSegment.findOne({
      _id: `${translation._id}:${segmentId}`,
    }).lean<TranslatedSegmentRecord>();
    const resultRole = segment && (await roleInResult(translation, member));
    if (!segment || !resultRole) throw notFound('text of the translation', segmentId);
    return { segment, resultRole };
  },
  permissions: () => ({}),
  version: ({ segment }) => versionOf(TranslatedSegment, { _id: segment._id }),
});

/** An entry of the glossary. The glossary covers all content of the organization, so guests see none. */
export const inGlossaryEntry = inOrganization.scope({
  name: 'Glossary entry',
  path: '/translations-glossary/:glossaryEntryId',
  params: { glossaryEntryId: Id },
  load: async ({ organization, member, params: { glossaryEntryId } }) => {
    const entry = await GlossaryEntry.findOne({
      _id: glossaryEntryId,
      organization: organization._id,
    }).lean<GlossaryEntryRecord>();
    if (!entry || member.role === null) throw notFound('glossary entry', glossaryEntryId);
    return { entry };
  },
  permissions: ({ member }) => ({ 'glossary.view': member.role !== null }),
});
