import { Id, notFound, OpenAPISpecCompatibility, OpenAPISpecFindings } from '@bindery/contract';
import type { OpenAPISpecFinding } from '@bindery/contract';
import { z } from 'zod';
import { loadText } from '../../records/storeText.ts';
import { compareVersions, diffFormats, type DiffFormat } from './compareVersions.ts';
import { inOpenAPISpecVersion, loadVersion } from './openapiSpec.scope.ts';

const mediaTypes: Record<DiffFormat, string> = {
  json: 'application/json; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
};

/** Routes of the review that follows the publication of a version, and of comparisons between versions. */
export const openapiSpecReviewRoutes = [
  inOpenAPISpecVersion.get(
    '/compatibility',
    {
      operationId: 'getOpenAPISpecVersionCompatibility',
      summary: 'Check whether swagger-parser, on which many tools are built, accepts a version',
      permission: 'openapi.view',
      response: OpenAPISpecCompatibility,
    },
    async ({ version: { review } }) => {
      const verdict = review?.compatibility;
      if (!verdict) return { state: 'pending' as const };
      if (verdict.isAccepted) return { state: 'accepted' as const };
      return { state: 'refused' as const, reason: verdict.reason };
    },
  ),

  inOpenAPISpecVersion.get(
    '/lint',
    {
      operationId: 'getOpenAPISpecVersionLint',
      summary: 'List remarks on the style of a version of an API specification',
      description: 'Computed after the publication of the version: 404 until then.',
      permission: 'openapi.view',
      response: OpenAPISpecFindings,
      etag: true,
    },
    async ({ platform: { blobs }, version: { _id, organization, review }, reply }) => {
      if (!review?.lint) throw notFound('lint report of the version', _id);
      const { blob, count } = review.lint;
      reply.etag(blob);
      const items = await loadText(blobs, { organization, hash: blob });
      return { count, items: JSON.parse(items) as OpenAPISpecFinding[] };
    },
  ),

  inOpenAPISpecVersion.raw(
    'get',
    '/diff/:otherVersionId',
    {
      operationId: 'compareOpenAPISpecVersions',
      summary: 'Compare a version of an API specification with a later one',
      description:
        'Lists the changes that break clients of the first version. Without `format`, `Accept` decides.',
      permission: 'openapi.view',
      params: { otherVersionId: Id },
      query: z.object({ format: z.enum(diffFormats).optional() }),
      answers: [
        {
          status: 200,
          description: 'The changes, breaking ones first.',
          contentType: ['application/json', 'text/markdown', 'text/html'],
        },
      ],
    },
    async (
      { platform: { blobs }, organization, spec, version: before, params: { otherVersionId }, query },
      request,
      response,
    ) => {
      const after = await loadVersion(spec, otherVersionId);
      const accepted = request.accepts(['application/json', 'text/markdown', 'text/html']);
      const format =
        query.format ??
        diffFormats.find((name) => accepted !== false && mediaTypes[name].startsWith(accepted)) ??
        'json';
      const title = `${after.title || spec.slug}: ${before.documentVersion} to ${after.documentVersion}`;
      const report = await compareVersions(blobs, {
        before,
        after,
        title,
        format,
        severities: organization.openapiSettings?.changeSeverities ?? {},
      });
      response.set({
        'Content-Type': mediaTypes[format],
        'X-Content-Type-Options': 'nosniff',
        'Content-Security-Policy': "default-src 'none'; sandbox",
        // Neither version changes, but the severities of the organization may.
        'Cache-Control': 'private, max-age=60',
        Vary: 'Authorization, Accept',
      });
      response.send(report);
    },
  ),
];
