import { Refusal } from '../../refusal.ts';
import type { ApiAccess } from './apiAccess.ts';

/**
 * The organization of the user.
 *
 * @throws Refusal when the user has none or several
 */
export async function onlyOrganization(api: ApiAccess): Promise<string> {
  const { items } = (await api.get('/orgs')) as unknown as { items: { id: string; title: string }[] };
  const [only] = items;
  if (only && items.length === 1) return only.id;
  throw new Refusal(
    'Name the organization with `--organization ID`.',
    items.map(({ id, title }) => `${id}: ${title}`),
  );
}
