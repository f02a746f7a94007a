import { prepareSpace } from '@bindery/content';
import {
  accessBelow,
  isDuplicateKey,
  retryOptimistic,
  serialized,
  Site,
  withTransaction,
  type ClientSession,
  type OrganizationRecord,
  type SiteRecord,
  type SpaceRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { insertSiteSpaces } from './insertSiteSpaces.ts';
import { freePath } from './paths.ts';
import { buildSampleContent } from './sampleContent.ts';

export type NewSite = {
  organization: Pick<OrganizationRecord, '_id' | 'title'>;
  /** Id of the user. */
  createdBy: string;
  title?: string | undefined;
  type?: SiteRecord['type'] | undefined;
  visibility?: SiteRecord['visibility'] | undefined;
  /**
   * Spaces of the organization, the first one as the default; or a new space, with sample pages or with an
   * empty page.
   */
  spaces?: readonly Pick<SpaceRecord, '_id' | 'title'>[] | 'sample' | 'empty' | undefined;
};

/**
 * Creates an unpublished site. Without a title it gets that of its first space or of the organization. Its
 * basename is derived from the title, with a number appended when another site of the organization has it.
 *
 * @throws conflict when one of the spaces has been deleted
 */
export async function createSite(newSite: NewSite): Promise<SiteRecord> {
  const { organization, createdBy, spaces = [] } = newSite;
  const title = newSite.title?.trim() ?? titleFor(newSite);
  const newSpace =
    typeof spaces === 'string' ? { organization: organization._id, createdBy, title } : undefined;
  const prepared =
    newSpace &&
    (await prepareSpace({
      ...newSpace,
      content: spaces === 'sample' ? await buildSampleContent(newSpace) : undefined,
    }));
  const insert = async (session: ClientSession): Promise<SiteRecord> => {
    const site: SiteRecord = {
      _id: newId(),
      organization: organization._id,
      type: newSite.type ?? 'basic',
      title,
      visibility: newSite.visibility ?? 'public',
      isPublished: false,
      basename: freePath(title, { taken: await basenamesIn(organization._id, session), empty: 'site' }),
      agentsContext: 'included',
      defaultLevel: 'inherit',
      access: accessBelow(undefined, { defaultLevel: 'inherit' }),
      siteSpaces: 0,
      structureVersion: 1,
      version: 1,
      createdBy,
      createdAt: new Date(),
    };
    await Site.create([site], { session });
    const given = typeof spaces === 'string' ? [] : spaces;
    const first = prepared ? [await prepared.insert(session)] : given;
    const [siteSpace] = await insertSiteSpaces({ site, spaces: first }, session);
    return { ...site, siteSpaces: first.length, defaultSiteSpace: siteSpace?._id };
  };
  // A new space is appended to the root of the organization, and concurrent requests would all look for the
  // same free basename.
  return serialized(`siblings:${organization._id}`, async () =>
    // Another process may take the basename between check and write; the next attempt finds the next free
    // one.
    retryOptimistic({
      attempts: 10,
      attempt: async () => withTransaction(insert),
      isOvertaken: isDuplicateKey,
    }),
  );
}

function titleFor({ organization, spaces }: NewSite): string {
  const isTitle = (title: string | undefined): title is string =>
    title !== undefined && [...title].length >= 2 && [...title].length <= 128;
  const first = typeof spaces === 'string' ? undefined : spaces?.[0]?.title;
  return [first, organization.title].find(isTitle) ?? 'Documentation';
}

async function basenamesIn(organization: string, session: ClientSession): Promise<ReadonlySet<string>> {
  const sites = await Site.find({ organization }, { _id: 0, basename: 1 })
    .session(session)
    .lean<Pick<SiteRecord, 'basename'>[]>();
  return new Set(sites.map(({ basename }) => basename));
}
