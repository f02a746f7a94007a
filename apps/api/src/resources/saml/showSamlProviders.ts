import type { SamlProvider } from '@bindery/contract';
import { Team, type MemberRecord, type SamlProviderRecord, type TeamRecord } from '@bindery/models';
import { showTeams } from '../../presenters/showTeams.ts';
import { presentSamlProvider } from './saml.presenter.ts';

/** Providers of one organization with the teams that they name, in the same number of queries however many there are. */
export async function showSamlProviders(providers: readonly SamlProviderRecord[], member: MemberRecord): Promise<SamlProvider[]> {
  const ids = providers.flatMap(({ defaultTeam }) => defaultTeam ?? []);
  const teams = ids.length === 0 ? [] : await Team.find({ _id: { $in: ids }, organization: member.organization }).lean<TeamRecord[]>();
  const shown = new Map((await showTeams(teams, member)).map((team) => [team.id, team]));
  return providers.map((provider) => presentSamlProvider(provider, { defaultTeam: shown.get(provider.defaultTeam ?? '') }));
}

/** The same for one. */
export async function showSamlProvider(provider: SamlProviderRecord, member: MemberRecord): Promise<SamlProvider> {
  const [shown] = await showSamlProviders([provider], member);
  return shown ?? presentSamlProvider(provider, { defaultTeam: undefined });
}
