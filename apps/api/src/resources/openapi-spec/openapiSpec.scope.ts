import { Id, notFound } from '@bindery/contract';
import {
  findSpecVersionBefore,
  OpenAPISpec,
  OpenAPISpecVersion,
  type OpenAPISpecRecord,
  type OpenAPISpecVersionRecord,
} from '@bindery/models';
import { forReaders } from '../../http/scope.ts';
import { openapiPermissions } from '../../permissions/openapi.ts';
import { qualified } from '../../permissions/role.ts';
import { findOwnMember } from '../../records/ownMember.ts';
import { inOrganization } from '../organization/organization.scope.ts';
import { findReadableSpec } from './findReadableSpec.ts';
import { findSpec } from './findSpec.ts';
import { findVisibleSpec } from './specsOfGuest.ts';
import { versionOf } from '../../records/versionOf.ts';

/** A specification, by its slug or its id, for members who may see it. */
export const inOpenAPISpec = inOrganization.scope({
  name: 'OpenAPI specification',
  path: '/openapi/:specSlug',
  params: { specSlug: Id },
  load: async ({ platform: { links }, member, params }) => {
    const spec = await findVisibleSpec(params.specSlug, { links, member });
    if (!spec) throw notFound('specification', params.specSlug);
    return { spec, seesSpec: true };
  },
  permissions: ({ member, seesSpec }) => qualified('openapi', openapiPermissions(member, { seesSpec })),
  version: ({ spec }) => versionOf(OpenAPISpec, { _id: spec._id }),
});

/** A slug or id with the specification that has it, if any, for the operation that adds or replaces one. */
export const atOpenAPISpecSlug = inOrganization.scope({
  name: 'OpenAPI specification',
  path: '/openapi/:specSlug',
  params: { specSlug: Id },
  load: async ({ organization, params }) => ({ known: await findSpec(organization._id, params.specSlug) }),
  permissions: () => ({}),
  version:
    ({ organization, params }) =>
    async (session) =>
      (await findSpec(organization._id, params.specSlug, session))?.version,
});

export const inOpenAPISpecVersion = inOpenAPISpec.scope({
  name: 'OpenAPI specification',
  path: '/versions/:versionId',
  params: { versionId: Id },
  // Operations with a path of their own below `latest` come first.
  load: async ({ spec, params: { versionId } }) => ({ version: await loadVersion(spec, versionId) }),
  permissions: () => ({}),
});

/** The last version, also for visitors of a site that shows the specification. */
export const inReadableLatestOpenAPISpecVersion = forReaders.scope({
  name: 'OpenAPI specification',
  path: '/orgs/:organizationId/openapi/:specSlug/versions/latest',
  params: { organizationId: Id, specSlug: Id },
  load: async ({ platform: { links }, reader, params: { organizationId, specSlug } }) => {
    const { actor, visitor } = reader;
    const member = actor && (await findOwnMember(actor, organizationId));
    if ((!member || member.limit?.spaces) && visitor?.organization !== organizationId)
      throw notFound('organization', organizationId);
    const spec = await findReadableSpec(organizationId, { links, slug: specSlug, reader });
    if (!spec) throw notFound('specification', specSlug);
    return { spec, seesSpec: true, version: await loadVersion(spec, 'latest') };
  },
  permissions: ({ seesSpec }) => ({ 'openapi.view': seesSpec }),
});

/** The last version, which exists after the first successful processing. */
export const inLatestOpenAPISpecVersion = inOpenAPISpec.scope({
  name: 'OpenAPI specification',
  path: '/versions/latest',
  params: {},
  load: async ({ spec }) => ({ version: await loadVersion(spec, 'latest') }),
  permissions: () => ({}),
});

/** @param id  of the version, `latest`, or `previous`: the one before the last */
export async function loadVersion(spec: OpenAPISpecRecord, id: string): Promise<OpenAPISpecVersionRecord> {
  const isAlias = id === 'latest' || id === 'previous';
  const named = await OpenAPISpecVersion.findOne({
    _id: isAlias ? (spec.lastVersion ?? id) : id,
    spec: spec._id,
  }).lean<OpenAPISpecVersionRecord>();
  const version = named && id === 'previous' ? await findSpecVersionBefore(named) : named;
  if (!version) throw notFound('version of the specification', id);
  return version;
}
