import type { SiteSection, SiteSpace } from '@bindery/contract';
import { apiPath, compact } from '@bindery/runtime';
import { eachItem } from '../api/eachItem.ts';
import { idOf, leaveUndeclared, settle, type Planning } from './change.ts';
import type { DeclaredSite } from './declaration.ts';
import { findNamed } from './findNamed.ts';
import type { PlannedSite } from './plannedSite.ts';

type Structure = { sections: readonly SiteSection[]; siteSpaces: readonly SiteSpace[] };
type DeclaredSection = NonNullable<DeclaredSite['sections']>[number];
type DeclaredSpaces = NonNullable<DeclaredSite['spaces']>;

/** Plans the sections of a site and the spaces that it shows. */
export async function planStructure(planning: Planning, site: PlannedSite): Promise<void> {
  const { name, declared, id, path } = site;
  if (!declared.spaces && !declared.sections) return;
  const found = id === undefined ? { sections: [], siteSpaces: [] } : await readStructure(planning, site);
  for (const section of declared.sections ?? []) await planSection(planning, { site, section, found });
  await planSiteSpaces(planning, { site, spaces: declared.spaces ?? [], section: undefined, found });
  const titles = new Set(declared.sections?.map(({ title }) => title));
  for (const { id: own, title } of found.sections)
    if (!titles.has(title))
      await leaveUndeclared(planning, {
        name: `section ${title} of ${name}`,
        path: `${path()}${apiPath`/sections/${own}`}`,
      });
}

async function readStructure({ api }: Planning, { path }: PlannedSite): Promise<Structure> {
  const list = async <Item>(part: 'sections' | 'site-spaces') =>
    Array.fromAsync(eachItem<Item>(api, (page) => `${path()}/${part}${apiPath`${{ limit: 100, page }}`}`));
  return { sections: await list<SiteSection>('sections'), siteSpaces: await list<SiteSpace>('site-spaces') };
}

async function planSection(
  planning: Planning,
  { site, section, found }: { site: PlannedSite; section: DeclaredSection; found: Structure },
): Promise<void> {
  const { title, path, icon, description, spaces } = section;
  const name = `section ${title} of ${site.name}`;
  const here = findNamed(found.sections, { name, title, isHere: () => true });
  const at = (id: string) => `${site.path()}${apiPath`/sections/${id}`}`;
  await settle(planning, {
    name,
    declared: compact({ title, path, icon, description }),
    found: here && { id: here.id, fields: here, path: at(here.id) },
    create: async () => {
      const [first] = spaces;
      const spaceId = idOf(planning, `space ${first?.space}`);
      const { body } = await planning.api.post(`${site.path()}/sections`, {
        json: compact({ title, icon, spaceId }),
      });
      const made = String(body['id']);
      return { id: made, path: at(made), set: ['title', 'icon'] };
    },
  });
  await planSiteSpaces(planning, { site, spaces, section: { name, id: here?.id }, found });
}

type SiteSpaces = {
  site: PlannedSite;
  spaces: DeclaredSpaces;
  section: { name: string; id: string | undefined } | undefined;
  found: Structure;
};

async function planSiteSpaces(
  planning: Planning,
  { site, spaces, section, found }: SiteSpaces,
): Promise<void> {
  const { api, ids } = planning;
  const place = section?.name ?? site.name;
  const isNew = section ? section.id === undefined : site.id === undefined;
  const isHere = (each: SiteSpace) => !isNew && each.section === section?.id;
  const known = found.siteSpaces.filter(isHere);
  const at = (id: string) => `${site.path()}${apiPath`/site-spaces/${id}`}`;
  const kept = new Set<string>();
  for (const [index, { space, path }] of spaces.map((each) => ({ path: undefined, ...each })).entries()) {
    const here = known.find((each) => each.space.id === ids.get(`space ${space}`));
    if (here) kept.add(here.id);
    await settle(planning, {
      name: `space ${space} in ${place}`,
      // One that is there was found by its space.
      declared: compact({ space: here ? undefined : space, path }),
      found: here && { id: here.id, fields: here, path: at(here.id) },
      create: async () => {
        const spaceId = idOf(planning, `space ${space}`);
        const sectionId = section && idOf(planning, section.name);
        // A new section came with its first space.
        const now =
          section && section.id === undefined && index === 0
            ? (await readStructure(planning, site)).siteSpaces.find(
                (each) => each.space.id === spaceId && each.section === sectionId,
              )
            : undefined;
        const json = compact({ spaceId, sectionId });
        const id = now?.id ?? String((await api.post(`${site.path()}/site-spaces`, { json })).body['id']);
        return { id, path: at(id), set: ['space'] };
      },
    });
  }
  for (const { id, title } of known)
    if (!kept.has(id)) await leaveUndeclared(planning, { name: `space ${title} in ${place}`, path: at(id) });
}
