import { Id, notFound } from '@bindery/contract';
import { Translation, type TranslationRecord } from '@bindery/models';
import { qualified } from '../../permissions/role.ts';
import { translationPermissions } from '../../permissions/translation.ts';
import { inOrganization } from '../organization/organization.scope.ts';

export const inTranslation = inOrganization.scope({
  name: 'Translation',
  path: '/translations/:translationId',
  params: { translationId: Id },
  load: async ({ organization, params }) => {
    const translation = await Translation.findOne({ _id: params.translationId, organization: organization._id }).lean<TranslationRecord>();
    if (!translation) throw notFound('translation', params.translationId);
    return { translation };
  },
  permissions: ({ member }) => qualified('translation', translationPermissions(member)),
});
