import { serveOneRequest } from '@bindery/runtime/child';
import type { WikiWork } from './gatherWiki.ts';

// The process that reads one wiki, then ends. It has no other way to the platform than its channel: no database, no queue, no keys.

serveOneRequest<WikiWork>({
  gather: async () => {
    const { gatherWiki } = await import('./gatherWiki.ts');
    return (request, { tell }) => gatherWiki(request, tell);
  },
});
