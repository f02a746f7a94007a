import type { Organization, Space, Translation } from '@bindery/contract';
import { apiPath } from '@bindery/runtime';
import { orMissing } from '../../api/orMissing.ts';
import type { Visit } from '../../http/route.ts';
import type { Crumb } from '../../layout/page.ts';
import { mayUse } from '../../session/mayUse.ts';
import { loadOrganization } from '../organization/frame.ts';
import { belowTranslations, loadTranslation, pairName, translationPath } from './frame.ts';

/** A translation as the pages with its texts need it. */
export type Review = {
  organization: Organization;
  translation: Translation;
  above: Crumb[];
  /** Whether the caller may change texts. */
  mayCorrect: boolean;
};

/** Loads a translation to review its texts. @throws ApiFailure */
export async function loadReview(visit: Visit): Promise<Review> {
  const [organization, translation] = await Promise.all([loadOrganization(visit), loadTranslation(visit)]);
  const space = translation.result?.space;
  const result =
    space === undefined ? undefined : await orMissing(visit.api.get<Space>(apiPath`/spaces/${space}`));
  return {
    organization,
    translation,
    above: [
      ...belowTranslations(organization),
      { name: pairName(translation), path: translationPath(visit.params) },
    ],
    mayCorrect:
      translation.permissions.edit && result?.permissions.edit === true && mayUse(visit.session, 'write'),
  };
}
