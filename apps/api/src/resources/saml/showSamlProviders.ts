import type { SamlProvider } from '@bindery/contract';
import { Team, type MemberRecord, type SamlProviderRecord, type TeamRecord } from '@bindery/models';
import type { Links } from '../../presenters/links.ts';
import { showTeams } from '../../presenters/showTeams.ts';
import { presentSamlProvider } from './saml.presenter.ts';

type View = { links: Links; member: MemberRecord };

/**
 * Presents providers of one organization with their teams, in the same number of queries for any number of
 * providers.
 */
export async function showSamlProviders(
  providers: readonly SamlProviderRecord[],
  { links, member }: View,
): Promise<SamlProvider[]> {
  const ids = providers.flatMap(({ defaultTeam }) => defaultTeam ?? []);
  const teams =
    ids.length === 0
      ? []
      : await Team.find({ _id: { $in: ids }, organization: member.organization }).lean<TeamRecord[]>();
  const shown = new Map((await showTeams(teams, member)).map((team) => [team.id, team]));
  return providers.map((provider) =>
    presentSamlProvider(provider, { links, defaultTeam: shown.get(provider.defaultTeam ?? '') }),
  );
}

/** Presents one provider. */
export async function showSamlProvider(provider: SamlProviderRecord, view: View): Promise<SamlProvider> {
  const [shown] = await showSamlProviders([provider], view);
  return shown ?? presentSamlProvider(provider, { links: view.links, defaultTeam: undefined });
}
