import { claimOldEmailDomains, lacksProvenDomains } from '../../organization/emailDomains.ts';
import { changeRecords, type Migration } from '../migration.ts';

export const claimEmailDomains: Migration = {
  name: 'claimEmailDomains',
  summary: 'claims e-mail domains that were stored without a proof',
  isBreaking: false,
  ...changeRecords('organizations', lacksProvenDomains, async ({ _id }) => claimOldEmailDomains(_id)),
};
