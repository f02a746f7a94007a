import { invalid, StorageUpload, StorageUploadURL } from '@bindery/contract';
import { thePlatform } from '../../platform.ts';
import { inOrganization } from '../organization/organization.scope.ts';
import { newUploadKey, uploadUrl } from './uploadKey.ts';

/** For so long a file can be put there. */
const uploadSeconds = 3_600;

export const storageRoutes = [
  inOrganization.post(
    '/storage/upload',
    {
      operationId: 'generateStorageUploadURL',
      // What is uploaded is for an import.
      tokenScope: 'jobs',
      summary: 'Get a URL to upload a file to',
      description:
        'Upload the file there within an hour, then pass `key` to an import. Files that no import uses are removed, by default after a day.',
      permission: 'organization.view',
      tags: ['Content import'],
      body: StorageUpload,
      response: StorageUploadURL,
      status: 201,
    },
    async ({ organization, body: { file, kind } }) => {
      if (kind !== 'import_file') throw invalid('body.kind', 'must be import_file: nothing else is uploaded here.');
      await thePlatform().blobs.requireRoom(organization._id, file.size);
      const key = newUploadKey(file.name);
      const until = Math.floor(Date.now() / 1_000) + uploadSeconds;
      return {
        object: 'storage-signed-url' as const,
        url: uploadUrl({ organization: organization._id, key, sizeBytes: file.size, until }),
        key,
      };
    },
  ),
];
