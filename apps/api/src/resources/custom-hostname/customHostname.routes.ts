import { CustomHostname, HostnameParam, PutCustomHostname } from '@bindery/contract';
import { endHostnames, requestHostnameCheck, singleWrite, withTransaction } from '@bindery/models';
import { root } from '../../http/scope.ts';
import { presentCustomHostname } from './customHostname.presenter.ts';
import { findOwnHostname, inCustomHostname } from './customHostname.scope.ts';
import { putCustomHostname } from './putCustomHostname.ts';

export const customHostnameRoutes = [
  root.put(
    '/custom-hostnames/:hostname',
    {
      operationId: 'putCustomHostname',
      summary: 'Claim a hostname for a site, or move it to another site of the organization',
      description:
        'Requires the permission `site.admin` of the site. The hostname is checked in the background: once the ' +
        'record in `verification` exists and a CNAME record points to `cname`, it `isActive`, and the ' +
        'hostname that the site had before ends.',
      permission: 'token',
      tokenScope: 'admin',
      tags: ['CustomHostname'],
      params: { hostname: HostnameParam },
      body: PutCustomHostname,
      response: CustomHostname,
      status: 201,
      etag: true,
      version:
        ({ actor, params }) =>
        async () =>
          (await findOwnHostname(actor, params.hostname))?.claim.version,
    },
    async ({ platform, actor, params, body, reply }) => {
      const { config } = platform;
      const claim = await putCustomHostname(params.hostname, { actor, siteId: body.target.site, config });
      reply.version(claim.version);
      return presentCustomHostname(claim, platform);
    },
  ),

  inCustomHostname.get(
    '',
    {
      operationId: 'getCustomHostname',
      summary: 'Get a custom hostname',
      permission: 'site.view',
      response: CustomHostname,
      etag: true,
    },
    async ({ platform, claim, reply }) => {
      reply.version(claim.version);
      return presentCustomHostname(claim, platform);
    },
  ),

  inCustomHostname.patch(
    '',
    {
      operationId: 'dnsRevalidateCustomHostname',
      summary: 'Check the DNS records of a custom hostname again',
      description: 'The check follows in the background, ten seconds after the last one at the earliest.',
      permission: 'site.admin',
      status: 204,
    },
    async ({ claim }) => singleWrite((session) => requestHostnameCheck(claim, session)),
  ),

  inCustomHostname.delete(
    '',
    {
      operationId: 'removeCustomHostname',
      summary: 'Delete a custom hostname',
      description: 'The site stays published, at its address below that of the platform.',
      permission: 'site.admin',
    },
    async ({ claim }) => withTransaction((session) => endHostnames({ _id: claim._id }, session)),
  ),
];
