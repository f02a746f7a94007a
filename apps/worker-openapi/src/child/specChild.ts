import { serveOneRequest } from '@bindery/runtime/child';
import type { SpecWorks } from './specWork.ts';

// The process that fetches and reads one specification, or reviews a version, then ends. The channel is its
// only access to the platform: it has no database, no queue, no keys.

serveOneRequest<SpecWorks>({
  read: async () => {
    const { readSource } = await import('./readSource.ts');
    return (request, { tell }) => readSource(request, tell);
  },
  review: async () => {
    const { reviewDocuments } = await import('./reviewDocuments.ts');
    return reviewDocuments;
  },
  judge: async () => {
    const { judgeBundle } = await import('./judgeBundle.ts');
    return judgeBundle;
  },
});
