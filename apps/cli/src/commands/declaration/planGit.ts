import { apiPath, compact } from '@bindery/runtime';
import { Refusal } from '../../refusal.ts';
import { fieldChanges, idOf, type Planning } from './change.ts';
import type { DeclaredSpace } from './declaration.ts';
import { readIfThere } from './readIfThere.ts';

type Git = NonNullable<DeclaredSpace['git']>;

/** Plans the hook that imports each push, and the first import. */
export async function planGit(
  planning: Planning,
  { name, git, space }: { name: string; git: Git; space: string | undefined },
): Promise<void> {
  const { api, environment, changes } = planning;
  const { url, ref, directory, onConflict, user, token: variable } = git;
  const token = variable === undefined ? undefined : environment[variable];
  if (variable !== undefined && !token)
    throw new Refusal(`${name}: the environment has no ${variable}, which \`git.token\` names.`);
  const remote = new URL(url);
  if (token)
    Object.assign(remote, { username: encodeURIComponent(user), password: encodeURIComponent(token) });

  const found = space === undefined ? undefined : await readIfThere(api, apiPath`/spaces/${space}/git/hook`);
  const declared = compact({
    url,
    ref,
    repoProjectDirectory: directory,
    onConflict,
    hasCredentials: token === undefined ? undefined : true,
  });
  const fields = fieldChanges(declared, found?.body ?? {});
  if (fields.length === 0) {
    planning.unchanged += 1;
    return;
  }
  const json = compact({ url: remote.href, ref, repoProjectDirectory: directory, onConflict });
  changes.push({
    action: found ? 'update' : 'create',
    name: `git sync of ${name}`,
    fields,
    run: async () => {
      const id = idOf(planning, name);
      // The import first: after a cut between the two, the hook is still missing, and both are repeated.
      await api.post(apiPath`/spaces/${id}/git/import`, { json });
      await api.change('PUT', apiPath`/spaces/${id}/git/hook`, { json, etag: found?.etag });
    },
  });
}
