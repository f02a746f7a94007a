import { claimOldProxies, countOldProxies } from '../../organization/siteHost.ts';
import type { Migration } from '../migration.ts';

/** In one step, because which organization keeps a host depends on all sites that name it; these are few. */
export const claimProxies: Migration = {
  name: 'claimProxies',
  summary: 'claims the hosts of proxies that were stored without a proof',
  isBreaking: false,
  count: countOldProxies,
  step: async () => ({ changed: await claimOldProxies() }),
};
