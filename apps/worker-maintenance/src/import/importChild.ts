import { serveOneRequest } from '@bindery/runtime/child';
import type { GatherWork } from './gathering.ts';

// The process that reads one import, then ends. The channel is its only access to the platform: it has no
// database, no queue, no keys. It loads no schema, no logger and no store client, which would take a quarter
// of its start time: its imports name single modules of the packages.

serveOneRequest<GatherWork>({
  gather: async () => {
    const { gather } = await import('./gather.ts');
    return (request, { tell }) => gather(request, tell);
  },
});
