import { forbidden, invalid, StorageUpload, StorageUploadURL, type Role } from '@bindery/contract';
import { audienceOf, Grant, type MemberRecord } from '@bindery/models';
import { inOrganization } from '../organization/organization.scope.ts';
import { newUploadKey, uploadUrl } from './uploadKey.ts';

/** Lifetime of an upload URL. */
const uploadSeconds = 3_600;

/** Uploaded files of an organization, and whether the caller may add some. */
const inStorage = inOrganization.scope({
  name: 'Content import',
  path: '/storage',
  params: {},
  load: async ({ member }) => ({ mayUpload: await mayUpload(member) }),
  permissions: () => ({}),
});

export const storageRoutes = [
  inStorage.post(
    '/upload',
    {
      operationId: 'generateStorageUploadURL',
      // Uploads serve imports, which are jobs.
      tokenScope: 'jobs',
      summary: 'Get a URL to upload a file to',
      description:
        'Upload the file there within an hour, then pass `key` to an import. Files that no import uses are removed, by default after a day. ' +
        'Guests need the permission to edit something.',
      permission: 'organization.view',
      body: StorageUpload,
      response: StorageUploadURL,
      status: 201,
      requires: ({ mayUpload }) => {
        if (!mayUpload) throw forbidden('space.edit');
      },
    },
    async ({ platform, organization, body: { file, kind } }) => {
      if (kind !== 'import_file')
        throw invalid('body.kind', 'must be import_file: nothing else is uploaded here.');
      await platform.blobs.requireRoom(organization._id, file.size);
      const key = newUploadKey(file.name);
      const until = Math.floor(Date.now() / 1_000) + uploadSeconds;
      return {
        object: 'storage-signed-url' as const,
        url: uploadUrl(platform.config, { organization: organization._id, key, sizeBytes: file.size, until }),
        key,
      };
    },
  ),
];

/**
 * Uploads count against the storage quota of the organization: only members who can import them may upload.
 */
async function mayUpload({ role, organization, ...member }: MemberRecord): Promise<boolean> {
  if (role !== null) return true;
  const editors = ['edit', 'review', 'create', 'admin'] as const satisfies Role[];
  return (
    (await Grant.exists({
      principal: { $in: audienceOf({ role, ...member }) },
      organization,
      role: { $in: editors },
    })) !== null
  );
}
