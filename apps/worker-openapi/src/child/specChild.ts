import { serveOneRequest } from '@bindery/runtime/child';
import type { SpecWorks } from './specWork.ts';

// The process that fetches and reads one specification, then ends. The channel is its only access to the
// platform: it has no database, no queue, no keys.

serveOneRequest<SpecWorks>({
  read: async () => {
    const { readSource } = await import('./readSource.ts');
    return (request, { tell }) => readSource(request, tell);
  },
});
