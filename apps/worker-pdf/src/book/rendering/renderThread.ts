import { parentPort } from 'node:worker_threads';
import { createRenderer, PageTooLargeError } from '@bindery/render';
import { pageLimits } from '../plan/limits.ts';
import type { RenderReply, RenderRequest } from './renderMessages.ts';

/** Runs on a thread of pageRenderer.ts: renders one page after the other. */
const renderer = createRenderer({ limits: pageLimits });
const reply = (message: RenderReply) => parentPort?.postMessage(message);

parentPort?.on('message', ({ links, files, specs, ...page }: RenderRequest) => {
  const sources = {
    linkOf: (ref: object) => links.get(JSON.stringify(ref)),
    fileOf: (id: string) => files.get(id),
    openapiOf: async ({ spec }: { spec?: unknown }) => specs.get(String(spec)),
  };
  renderer.renderPage({ ...page, reader: 'member', sources }).then(
    (rendered) => reply({ rendered }),
    (error: unknown) => {
      if (error instanceof PageTooLargeError) reply({ tooLarge: error.message });
      else reply({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    },
  );
});
