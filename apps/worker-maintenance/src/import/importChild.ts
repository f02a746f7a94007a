import { serveOneRequest } from '@bindery/runtime/child';
import type { GatherWork } from './gathering.ts';

// The process that reads one import, then ends. It has no other way to the platform than its channel: no database, no queue, no keys.
// It loads no schema, no logger and no client of a store, which would take a quarter of its start: what it imports names single modules of the packages.

serveOneRequest<GatherWork>({
  gather: async () => {
    const { gather } = await import('./gather.ts');
    return (request, { tell }) => gather(request, tell);
  },
});
