import { invalid, notFound, type CreateSamlProvider, type UpdateSamlProvider } from '@bindery/contract';
import {
  holdTeam,
  SamlProvider,
  withTransaction,
  type ClientSession,
  type SamlProviderRecord,
} from '@bindery/models';
import { compact, newId } from '@bindery/runtime';
import { changeRecord } from '../../records/changeRecord.ts';
import { givenFields, noneIfEmpty } from '../../records/givenFields.ts';
import { checkCertificate } from './certificate.ts';
import { keepSignIn } from './keepSignIn.ts';

type Settings = Pick<
  SamlProviderRecord,
  'label' | 'entityID' | 'certificate' | 'ssoURL' | 'defaultTeam' | 'defaultRole'
>;
type Changes = { [K in keyof Settings]?: Settings[K] | undefined };

/** @throws invalid_request for an invalid certificate, or a team of another organization */
export async function createSamlProvider(
  organization: string,
  body: CreateSamlProvider,
): Promise<SamlProviderRecord> {
  const { label, ...changes } = readChanges(body);
  const provider = complete({
    _id: newId(),
    organization,
    label: label ?? body.label,
    defaultRole: null,
    status: 'pending',
    version: 1,
    createdAt: new Date(),
    ...changes,
  } as SamlProviderRecord);
  await withTransaction(async (session) => {
    await checkTeam(organization, changes, session);
    await SamlProvider.create([provider], { session });
  });
  return provider;
}

/**
 * Changes the given fields. Whether users can sign in through the provider depends on the resulting settings.
 *
 * @throws precondition_failed when nobody could sign in any longer
 */
export async function updateSamlProvider(
  { _id, organization }: SamlProviderRecord,
  body: UpdateSamlProvider,
): Promise<SamlProviderRecord> {
  const changes = readChanges(body);
  return withTransaction(async (session) => {
    const provider = await SamlProvider.findOne({ _id }).session(session).lean<SamlProviderRecord>();
    if (!provider) throw notFound('SAML provider', _id);
    if (Object.keys(changes).length === 0) return provider;
    await checkTeam(organization, changes, session);
    const { status } = complete({ ...provider, ...changes } as SamlProviderRecord);
    const changed = await changeRecord<SamlProviderRecord>(
      SamlProvider,
      provider,
      { ...changes, status },
      { session },
    );
    if (provider.status === 'active' && status === 'pending') await keepSignIn(organization, session);
    return changed;
  });
}

/** The changes in a body; a field that is present and undefined is removed. */
function readChanges({
  label,
  entityID,
  certificate,
  ssoURL,
  defaultTeam,
  defaultRole,
}: UpdateSamlProvider): Changes {
  if (certificate) checkCertificate(certificate);
  return {
    ...givenFields({
      label: label?.trim(),
      entityID: noneIfEmpty(entityID?.trim()),
      certificate: noneIfEmpty(certificate),
      ssoURL,
      defaultTeam,
    }),
    // Null is a role: that of guests.
    ...compact({ defaultRole }),
  };
}

function complete(provider: SamlProviderRecord): SamlProviderRecord {
  const { entityID, certificate, ssoURL } = provider;
  return { ...provider, status: entityID && certificate && ssoURL ? 'active' : 'pending' };
}

async function checkTeam(
  organization: string,
  { defaultTeam }: Changes,
  session: ClientSession,
): Promise<void> {
  if (defaultTeam === undefined || (await holdTeam({ _id: defaultTeam, organization }, session))) return;
  throw invalid('body.defaultTeam', 'is not the id of a team of this organization.');
}
