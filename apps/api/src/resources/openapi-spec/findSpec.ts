import { OpenAPISpec, type ClientSession, type OpenAPISpecRecord } from '@bindery/models';

/** Finds a specification of an organization by slug or id. */
export async function findSpec(
  organization: string,
  slugOrId: string,
  session?: ClientSession,
): Promise<OpenAPISpecRecord | undefined> {
  const found = await OpenAPISpec.find({ organization, $or: [{ slug: slugOrId }, { _id: slugOrId }] })
    .session(session ?? null)
    .lean<OpenAPISpecRecord[]>();
  // The slug of one specification may look like the id of another; the slug wins.
  return found.find(({ slug }) => slug === slugOrId) ?? found[0];
}
