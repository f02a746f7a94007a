import type { Renderer, RendererOptions, RenderLimits } from './face.ts';
import { renderPage } from './page/renderPage.ts';
import { createTypesetter } from './typeset/typesetter.ts';

export const usualLimits: RenderLimits = { characters: 5_000_000, elements: 50_000, depth: 200 };

export const usualSchemes: readonly string[] = ['http', 'https', 'mailto'];

/** Starts nothing before the first code or formula, which needs a thread: `close` ends it. */
export function createRenderer({ limits = {}, linkSchemes = usualSchemes }: RendererOptions = {}): Renderer {
  const typesetter = createTypesetter();
  const rendering = { typesetter, limits: { ...usualLimits, ...limits }, linkSchemes };
  return {
    renderPage: async (given) => renderPage(given, rendering),
    close: async () => typesetter.close(),
  };
}
