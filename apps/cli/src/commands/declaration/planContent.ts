import type { Collection, Space } from '@bindery/contract';
import { apiPath, compact } from '@bindery/runtime';
import { eachItem } from '../api/eachItem.ts';
import { idOf, leaveUndeclared, settle, type Planning } from './change.ts';
import type { Declaration } from './declaration.ts';
import { findNamed } from './findNamed.ts';
import { planGit } from './planGit.ts';

/** Plans the collections, each after the one that it is in. */
export async function planCollections(planning: Planning, { collections }: Declaration): Promise<void> {
  const { api, organization, ids } = planning;
  const found = await Array.fromAsync(
    eachItem<Collection>(
      api,
      (page) => apiPath`/orgs/${organization}/collections${{ nested: 'true', limit: 100, page }}`,
    ),
  );
  const taken = new Set<string>();
  const plan = async (key: string): Promise<void> => {
    const name = `collection ${key}`;
    const declared = collections[key];
    if (!declared || taken.has(name)) return;
    taken.add(name);
    const { id, title, description, parent } = declared;
    if (parent !== undefined) await plan(parent);
    const isBelow = (each: Collection) => isIn(planning, each, parent);
    const here = findNamed(found, { name, id, title, isHere: isBelow });
    if (here) taken.add(here.id);
    await settle(planning, {
      name,
      declared: compact({ title, description }),
      found: here && { id: here.id, fields: here, path: apiPath`/collections/${here.id}` },
      create: async () => {
        const json = compact({ title, parent: parent && idOf(planning, `collection ${parent}`) });
        const { body } = await api.post(apiPath`/orgs/${organization}/collections`, { json });
        const made = String(body['id']);
        return { id: made, path: apiPath`/collections/${made}`, set: ['title'] };
      },
    });
    if (here) planMove(planning, { name, here, collection: parent, path: apiPath`/collections/${here.id}` });
  };
  for (const key of Object.keys(collections)) await plan(key);
  const declaredIds = new Set(ids.values());
  // The inner ones first: with a collection goes what is in it.
  for (const { id, title } of found.toReversed())
    if (!declaredIds.has(id))
      await leaveUndeclared(planning, {
        name: `collection ${title} (${id})`,
        path: apiPath`/collections/${id}`,
      });
}

export async function planSpaces(planning: Planning, { spaces }: Declaration): Promise<void> {
  const { api, organization, ids } = planning;
  const found = await Array.fromAsync(
    eachItem<Space>(api, (page) => apiPath`/orgs/${organization}/spaces${{ limit: 100, page }}`),
  );
  for (const [key, declared] of Object.entries(spaces)) {
    const { id, title, emoji, collection, editMode, language, git } = declared;
    const name = `space ${key}`;
    const isHere = (each: Space) => isIn(planning, each, collection);
    const here = findNamed(found, { name, id, title, isHere });
    await settle(planning, {
      name,
      declared: compact({ title, emoji, editMode, language }),
      found: here && { id: here.id, fields: here, path: apiPath`/spaces/${here.id}` },
      create: async () => {
        const parent = collection && idOf(planning, `collection ${collection}`);
        const json = compact({ title, emoji, editMode, language, parent, empty: true });
        const { body } = await api.post(apiPath`/orgs/${organization}/spaces`, { json });
        const made = String(body['id']);
        return { id: made, path: apiPath`/spaces/${made}`, set: ['title', 'emoji', 'editMode', 'language'] };
      },
    });
    if (here) planMove(planning, { name, here, collection, path: apiPath`/spaces/${here.id}` });
    if (git) await planGit(planning, { name, git, space: here?.id });
  }
  const declaredIds = new Set(ids.values());
  for (const { id, title } of found)
    if (!declaredIds.has(id))
      await leaveUndeclared(planning, { name: `space ${title} (${id})`, path: apiPath`/spaces/${id}` });
}

type Placed = { id: string; parent?: string | undefined };

/** Whether something is in the declared collection, or in none. */
function isIn({ ids }: Planning, { parent }: Placed, collection: string | undefined): boolean {
  if (collection === undefined) return parent === undefined;
  return parent !== undefined && parent === ids.get(`collection ${collection}`);
}

/** Plans the move of what its id has found elsewhere. */
function planMove(
  planning: Planning,
  {
    name,
    here,
    collection,
    path,
  }: { name: string; here: Placed; collection: string | undefined; path: string },
): void {
  if (isIn(planning, here, collection)) return;
  planning.changes.push({
    action: 'update',
    name,
    fields: [{ field: 'collection', before: here.parent ?? null, after: collection ?? null }],
    run: async () => {
      const parent = collection === undefined ? null : idOf(planning, `collection ${collection}`);
      await planning.api.post(`${path}/move`, { json: { parent } });
    },
  });
}
