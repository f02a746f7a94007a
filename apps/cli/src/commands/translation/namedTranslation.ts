import { dataOption } from '../../options.ts';
import { Refusal } from '../../refusal.ts';
import { openApi, type ApiAccess } from '../api/apiAccess.ts';
import { onlyOrganization } from '../api/onlyOrganization.ts';

/** Options of the commands about one translation. */
export const translationOptions = {
  organization: { value: 'ID', help: 'The organization (default: the only one of the user).' },
  ...dataOption,
};

export type NamedTranslation = {
  api: ApiAccess;
  /** Below `/v1`. */
  organizationPath: string;
  path: string;
};

/**
 * The translation that a command names.
 *
 * @throws Refusal without an id, and when the organization is not clear
 */
export async function namedTranslation(
  id: string | undefined,
  {
    values,
    environment,
  }: { values: { organization?: string; data?: string }; environment: NodeJS.ProcessEnv },
): Promise<NamedTranslation> {
  if (id === undefined)
    throw new Refusal('Name the translation by its id.', ['`GET /v1/orgs/ORG/translations` lists them.']);
  const api = openApi({ data: values.data, environment });
  const organization = values.organization ?? (await onlyOrganization(api));
  const organizationPath = `/orgs/${encodeURIComponent(organization)}`;
  return { api, organizationPath, path: `${organizationPath}/translations/${encodeURIComponent(id)}` };
}

/** @throws Refusal for more operands than a command takes */
export function refuseMore(more: readonly string[]): void {
  if (more.length > 0) throw new Refusal(`There is one "${more[0]}" too many.`);
}
