import type { LinkTarget } from '@bindery/content';
import type { Collection, OpenAPISpec, User } from '@bindery/contract';
import {
  Collection as CollectionModel,
  Member,
  OpenAPISpec as SpecModel,
  type CollectionRecord,
  type OpenAPISpecRecord,
} from '@bindery/models';
import { roleInContent, visibleTo } from '../../permissions/access.ts';
import { presentCollection } from '../../presenters/collection.presenter.ts';
import { findWorkingJobs } from '../job/jobOutcome.ts';
import { presentSpec } from '../openapi-spec/openapiSpec.presenter.ts';
import { visibleSpecs } from '../openapi-spec/specsOfGuest.ts';
import { showUsers } from '../user/showUsers.ts';
import type { LinkViewer } from './link.scope.ts';

/** The targets of links outside of content, by id, that exist and that the caller may see. */
export type NamedObjects = {
  users: ReadonlyMap<string, User>;
  collections: ReadonlyMap<string, Collection>;
  /** By slug, as content names specifications by slug. */
  specs: ReadonlyMap<string, OpenAPISpec>;
  has(target: LinkTarget): boolean;
};

/** Queries only the kinds that the targets have. */
export async function findNamedObjects(
  viewer: LinkViewer,
  targets: readonly LinkTarget[],
): Promise<NamedObjects> {
  const idsOf = (kind: LinkTarget['kind']) => [
    ...new Set(targets.flatMap((target) => (target.kind === kind && 'id' in target ? [target.id] : []))),
  ];
  const [users, collections, specs] = await Promise.all([
    findUsers(viewer, idsOf('user')),
    findCollections(viewer, idsOf('collection')),
    findSpecs(viewer, idsOf('openapi')),
  ]);
  const has = (target: LinkTarget) => {
    if (target.kind === 'user') return users.has(target.id);
    if (target.kind === 'collection') return collections.has(target.id);
    return target.kind === 'openapi' && specs.has(target.id);
  };
  return { users, collections, specs, has };
}

async function findUsers(
  { platform: { links }, organization, member }: LinkViewer,
  ids: readonly string[],
): Promise<Map<string, User>> {
  if (ids.length === 0) return new Map();
  const members = await Member.distinct('user', { organization: organization._id, user: { $in: ids } });
  const userOf = await showUsers(members, { ...member, links });
  return new Map(members.map((id) => [id, userOf(id)]));
}

async function findCollections(
  { platform: { links }, organization, member }: LinkViewer,
  ids: readonly string[],
): Promise<Map<string, Collection>> {
  if (ids.length === 0) return new Map();
  const filter = { _id: { $in: ids }, organization: organization._id, ...visibleTo(member) };
  const records = await CollectionModel.find(filter).lean<CollectionRecord[]>();
  return new Map(
    records.map((record) => [
      record._id,
      presentCollection(record, {
        links,
        role: roleInContent({ member, access: record.access }),
        organization,
      }),
    ]),
  );
}

async function findSpecs(
  { platform: { links }, member }: LinkViewer,
  slugs: readonly string[],
): Promise<Map<string, OpenAPISpec>> {
  if (slugs.length === 0) return new Map();
  const records = await SpecModel.find({
    $and: [{ slug: { $in: slugs } }, await visibleSpecs({ links, member })],
  }).lean<OpenAPISpecRecord[]>();
  const jobs = await findWorkingJobs(records.map(({ job }) => job));
  return new Map(
    records.map((record) => [record.slug, presentSpec(record, { links, member, job: jobs.get(record.job) })]),
  );
}
