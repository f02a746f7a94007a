import { serveOneRequest } from '@bindery/runtime/child';
import type { WikiWork } from './gatherWiki.ts';

// The process that reads one wiki, then ends. The channel is its only access to the platform: it has no
// database, no queue, no keys.

serveOneRequest<WikiWork>({
  gather: async () => {
    const { gatherWiki } = await import('./gatherWiki.ts');
    return (request, { tell }) => gatherWiki(request, tell);
  },
});
