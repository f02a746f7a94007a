import { OpenAPISpec, type ClientSession, type OpenAPISpecRecord } from '@bindery/models';

/** A specification of an organization, by its slug or its id. */
export async function findSpec(
  organization: string,
  slugOrId: string,
  session?: ClientSession,
): Promise<OpenAPISpecRecord | undefined> {
  const found = await OpenAPISpec.find({ organization, $or: [{ slug: slugOrId }, { _id: slugOrId }] })
    .session(session ?? null)
    .lean<OpenAPISpecRecord[]>();
  // A slug may look like the id of another one.
  return found.find(({ slug }) => slug === slugOrId) ?? found[0];
}
