import { serveOneRequest } from '@bindery/runtime/child';
import type { FolderWork } from './readFolder.ts';

// The process that reads one folder, then ends. The channel is its only access to the platform: it has no
// database, no queue, no keys.

serveOneRequest<FolderWork>({
  read: async () => {
    const { readFolder } = await import('./readFolder.ts');
    return (request, { tell }) => readFolder(request, tell);
  },
});
