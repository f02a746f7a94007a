import { ApiError, invalid, type UpdateOrganization } from '@bindery/contract';
import {
  claimEmailDomains,
  hasActiveSamlProvider,
  isDuplicateKey,
  Organization,
  Site,
  withTransaction,
  type ClientSession,
  type MemberRecord,
  type OrganizationRecord,
} from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import { mustSignIn } from '../../permissions/singleSignOn.ts';
import { changeRecord } from '../../records/changeRecord.ts';
import { givenFields } from '../../records/givenFields.ts';

/**
 * Changes the settings of an organization.
 *
 * @throws invalid_request for a site of another organization, conflict for a hostname already in use,
 *   precondition_failed for `sso` without an active provider, and for `sso` that would lock out the caller
 */
export async function updateOrganization(
  organization: OrganizationRecord,
  changes: UpdateOrganization,
  { actor, member }: { actor: Actor; member: MemberRecord },
): Promise<OrganizationRecord> {
  if (changes.sso && !organization.sso && mustSignIn(member, actor)) throw lockedOut();
  const { title, emailDomains, defaultContent, logo, ...rest } = changes;
  const fields = {
    ...rest,
    ...givenFields({ emailDomains, title: title?.trim(), defaultContent, logo }),
  };
  try {
    return await withTransaction(async (session) => {
      await holdSite(organization._id, defaultContent?.site, session);
      if (changes.sso && !(await hasActiveSamlProvider(organization._id, session))) throw noProvider();
      if (emailDomains) await claimEmailDomains(organization._id, emailDomains, session);
      return changeRecord<OrganizationRecord>(Organization, organization, fields, { session });
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new ApiError('conflict', `The hostname ${changes.hostname} belongs to another organization.`, {
      action: 'Choose another `hostname`.',
      cause: error,
    });
  }
}

/**
 * Writes to the site, so that a concurrent deletion either comes first, or sees that the site is the default
 * content.
 */
async function holdSite(
  organization: string,
  site: string | undefined,
  session: ClientSession,
): Promise<void> {
  if (site === undefined) return;
  const { matchedCount } = await Site.updateOne(
    { _id: site, organization },
    { $inc: { structureVersion: 1 } },
    { session },
  );
  if (matchedCount === 0)
    throw invalid('body.defaultContent.site', 'is not the id of a site of this organization.');
}

/** The sign-in of the admin proves that the provider works, before it is required. */
function lockedOut(): ApiError {
  return new ApiError(
    'precondition_failed',
    'You would lock yourself out: you must sign in through the provider, and this token or session was not started there.',
    {
      action:
        'Sign in to the console through the provider, make a token there under *Tokens*, and send this request with it.',
    },
  );
}

function noProvider(): ApiError {
  return new ApiError(
    'precondition_failed',
    'Nobody could sign in: the organization has no active SAML provider.',
    {
      action: 'Add a SAML provider with `entityID`, `certificate` and `ssoURL` first.',
    },
  );
}
