import { createRenderer, PageTooLargeError } from '@bindery/render';
import { answerRequests } from '@bindery/runtime/threads';
import { pageLimits } from '../plan/limits.ts';
import type { RenderReply, RenderRequest } from './renderMessages.ts';

/** Runs on a thread of pageRenderer.ts: renders one page after the other. */
const renderer = createRenderer({ limits: pageLimits });

answerRequests(async ({ links, files, specs, ...page }: RenderRequest): Promise<RenderReply> => {
  const sources = {
    linkOf: (ref: object) => links.get(JSON.stringify(ref)),
    fileOf: (id: string) => files.get(id),
    openapiOf: async ({ spec }: { spec?: unknown }) => specs.get(String(spec)),
  };
  try {
    return { rendered: await renderer.renderPage({ ...page, reader: 'member', sources }) };
  } catch (error) {
    if (error instanceof PageTooLargeError) return { tooLarge: error.message };
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
});
