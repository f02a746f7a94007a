import { Id, notFound } from '@bindery/contract';
import { OpenAPISpec, OpenAPISpecVersion, type OpenAPISpecRecord, type OpenAPISpecVersionRecord } from '@bindery/models';
import { openapiPermissions } from '../../permissions/openapi.ts';
import { qualified } from '../../permissions/role.ts';
import { inOrganization } from '../organization/organization.scope.ts';

/** A specification, by its slug or its id. */
export const inOpenAPISpec = inOrganization.scope({
  name: 'OpenAPI specification',
  path: '/openapi/:specSlug',
  params: { specSlug: Id },
  load: async ({ organization, params }) => {
    const spec = await findSpec(organization._id, params.specSlug);
    if (!spec) throw notFound('specification', params.specSlug);
    return { spec };
  },
  permissions: ({ member }) => qualified('openapi', openapiPermissions(member)),
});

export const inOpenAPISpecVersion = inOpenAPISpec.scope({
  name: 'OpenAPI specification',
  path: '/versions/:versionId',
  params: { versionId: Id },
  load: async ({ spec, params }) => ({ version: await loadVersion(spec, params.versionId) }),
  permissions: () => ({}),
});

/** The same for the last one, which is not there before the first success. */
export const inLatestOpenAPISpecVersion = inOpenAPISpec.scope({
  name: 'OpenAPI specification',
  path: '/versions/latest',
  params: {},
  load: async ({ spec }) => ({ version: await loadVersion(spec, spec.lastVersion ?? 'latest') }),
  permissions: () => ({}),
});

export async function findSpec(organization: string, slugOrId: string): Promise<OpenAPISpecRecord | undefined> {
  const found = await OpenAPISpec.find({ organization, $or: [{ slug: slugOrId }, { _id: slugOrId }] }).lean<OpenAPISpecRecord[]>();
  // A slug may look like the id of another one.
  return found.find(({ slug }) => slug === slugOrId) ?? found[0];
}

async function loadVersion(spec: OpenAPISpecRecord, id: string): Promise<OpenAPISpecVersionRecord> {
  const version = await OpenAPISpecVersion.findOne({ _id: id, spec: spec._id }).lean<OpenAPISpecVersionRecord>();
  if (!version) throw notFound('version of the specification', id);
  return version;
}
