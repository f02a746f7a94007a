import { answerRequests } from '@bindery/runtime/threads';
import { PageTooLargeError } from '../page/pageTooLargeError.ts';
import { renderPage } from '../page/renderPage.ts';
import { usualLimits, usualSchemes } from '../renderer.ts';
import { createTypesetter } from '../typeset/typesetter.ts';
import type { RenderReply, RenderRequest } from './renderMessages.ts';

const typesetter = createTypesetter();

answerRequests(async ({ links, files, specs, limits, ...page }: RenderRequest): Promise<RenderReply> => {
  const sources = {
    linkOf: (ref: object) => links.get(JSON.stringify(ref)),
    fileOf: (id: string) => files.get(id),
    openapiOf: async ({ spec }: { spec?: unknown }) => specs.get(String(spec)),
  };
  const rendering = { typesetter, limits: { ...usualLimits, ...limits }, linkSchemes: usualSchemes };
  try {
    return { rendered: await renderPage({ ...page, sources }, rendering) };
  } catch (error) {
    if (error instanceof PageTooLargeError) return { tooLarge: error.message };
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
});
