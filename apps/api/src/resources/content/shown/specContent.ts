import { findLatestVersions, loadSpecOutline } from '@bindery/content';
import { ApiError, invalid } from '@bindery/contract';
import type { SpecificationOutline } from '@bindery/dialect/openapi';
import type { OrganizationRecord } from '@bindery/models';
import type { Reader } from '../../../http/actor.ts';
import type { Platform } from '../../../platform.ts';
import { findReadableSpec } from '../../openapi-spec/findReadableSpec.ts';

export type SpecReading = {
  platform: Pick<Platform, 'blobs' | 'links'>;
  organization: OrganizationRecord;
  reader: Reader;
};

/**
 * Loads the outline of the last version of the specification that a computed source names.
 *
 * @throws invalid_request when the reader sees no specification with this name; precondition_failed while it
 *   has no version; unavailable when it takes too long to read
 */
export async function loadSpecContent(
  slug: string,
  { platform: { blobs, links }, organization, reader }: SpecReading,
): Promise<SpecificationOutline> {
  const spec = await findReadableSpec(organization._id, { links, slug, reader });
  if (!spec)
    throw invalid(
      'body.source.dependencies.spec.ref.spec',
      'names no specification of the organization that this token may see.',
    );
  const version = (await findLatestVersions(organization._id, [spec._id], { _id: spec._id })).get(spec._id);
  if (!version)
    throw new ApiError(
      'precondition_failed',
      `The specification ${spec.slug} has no version yet: its pages cannot be computed.`,
      { action: 'Wait until it is processed, or check why processing failed.' },
    );
  const outline = await loadSpecOutline(version, blobs);
  if (!outline)
    throw new ApiError('unavailable', `The specification ${spec.slug} takes too long to read.`, {
      action: 'Try again later.',
    });
  return outline;
}
