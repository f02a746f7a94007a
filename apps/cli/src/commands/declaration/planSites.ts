import { isDeepStrictEqual } from 'node:util';
import type { Site } from '@bindery/contract';
import { apiPath, compact } from '@bindery/runtime';
import { Refusal } from '../../refusal.ts';
import { eachItem } from '../api/eachItem.ts';
import { fieldChanges, idOf, isRecord, leaveUndeclared, settle, type Planning } from './change.ts';
import type { Declaration } from './declaration.ts';
import { findNamed } from './findNamed.ts';
import type { PlannedSite } from './plannedSite.ts';
import { planRedirects } from './planRedirects.ts';
import { planStructure } from './planStructure.ts';
import { readIfThere } from './readIfThere.ts';

export async function planSites(planning: Planning, { sites }: Declaration): Promise<void> {
  const { api, organization, ids } = planning;
  const found = await Array.fromAsync(
    eachItem<Site>(api, (page) => apiPath`/orgs/${organization}/sites${{ limit: 100, page }}`),
  );
  for (const [key, declared] of Object.entries(sites)) {
    const { id, title, visibility, basename } = declared;
    const name = `site ${key}`;
    const here = findNamed(found, { name, id, title, isHere: () => true });
    await settle(planning, {
      name,
      declared: compact({ title, visibility, basename }),
      found: here && { id: here.id, fields: here, path: pathOf(organization, here.id) },
      create: async () => {
        const json = compact({ title, visibility, spaces: [] });
        const { body } = await api.post(apiPath`/orgs/${organization}/sites`, { json });
        const made = String(body['id']);
        return { id: made, path: pathOf(organization, made), set: ['title', 'visibility'] };
      },
    });
    const path = () => pathOf(organization, idOf(planning, name));
    const site: PlannedSite = { name, declared, id: here?.id, path };
    await planStructure(planning, site);
    await planCustomization(planning, site);
    await planRedirects(planning, site);
    // When it has its content.
    planPublished(planning, { ...site, isPublished: here?.published ?? false });
    await planHostname(planning, site);
  }
  const declaredIds = new Set(ids.values());
  for (const { id, title } of found)
    if (!declaredIds.has(id))
      await leaveUndeclared(planning, { name: `site ${title} (${id})`, path: pathOf(organization, id) });
}

function pathOf(organization: string, site: string): string {
  return apiPath`/orgs/${organization}/sites/${site}`;
}

async function planCustomization(
  planning: Planning,
  { name, declared, id, path }: PlannedSite,
): Promise<void> {
  const { api, changes } = planning;
  const { customization } = declared;
  if (!customization) return;
  const { body } = id === undefined ? { body: {} } : await read();
  const fields = fieldChanges(customization, body);
  if (fields.length === 0) planning.unchanged += 1;
  else
    changes.push({
      action: 'update',
      name: `customization of ${name}`,
      fields,
      run: async () => {
        // Read again, because the ETag is that of the site, which an earlier change may have written.
        const now = await read();
        if (id !== undefined && !isDeepStrictEqual(now.body, body))
          throw new Refusal('Somebody has changed it since the plan was made.');
        // The API takes all settings at once.
        const json = withMembers(now.body, customization) as object;
        await api.change('PUT', `${path()}/customization`, { json, etag: now.etag });
      },
    });

  async function read() {
    return api.read(`${path()}/customization`);
  }
}

function withMembers(before: unknown, declared: unknown): unknown {
  if (!isRecord(before) || !isRecord(declared)) return declared;
  const members = Object.entries(declared).map(
    ([key, value]) => [key, withMembers(before[key], value)] as const,
  );
  return { ...before, ...Object.fromEntries(members) };
}

function planPublished(
  { api, changes }: Planning,
  { name, declared: { published }, path, isPublished }: PlannedSite & { isPublished: boolean },
): void {
  if (published === undefined || published === isPublished) return;
  changes.push({
    action: 'update',
    name,
    fields: [{ field: 'published', before: isPublished, after: published }],
    run: async () => void (await api.post(`${path()}/${published ? 'publish' : 'unpublish'}`)),
  });
}

async function planHostname(planning: Planning, { name, declared, id }: PlannedSite): Promise<void> {
  const { api, changes } = planning;
  const { hostname } = declared;
  if (hostname === undefined) return;
  const path = apiPath`/custom-hostnames/${hostname}`;
  const found = await readIfThere(api, path);
  const target = found?.body['target'];
  const site = isRecord(target) ? target['site'] : undefined;
  if (site !== undefined && site === id) planning.unchanged += 1;
  else
    changes.push({
      action: found ? 'update' : 'create',
      name: `hostname ${hostname}`,
      fields: [{ field: 'site', before: site, after: name }],
      run: async () => {
        const json = { target: { type: 'site', site: idOf(planning, name) } };
        await api.change('PUT', path, { json, etag: found?.etag });
      },
    });
}
