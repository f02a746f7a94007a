import { computeOnce } from '@bindery/content';
import { pagesRendered } from '@bindery/metrics';
import type { PageRenderers, RenderedPage, RenderRequest } from '@bindery/render';

/**
 * Renders a page, or finds it in the database: equal requests give equal pages. Does not store a page with a
 * block that took too long: that may be due to a busy machine.
 *
 * @returns the reason instead when the page cannot be rendered
 */
export async function renderOnce(
  request: RenderRequest,
  { organization, renderers }: { organization: string; renderers: PageRenderers },
): Promise<RenderedPage | string> {
  let result: RenderedPage | string = '';
  const kept = await computeOnce({
    input: JSON.stringify(['rendered page', organization, request], withMaps),
    compute: async () => {
      result = await renderers.render(request);
      pagesRendered.add({ outcome: typeof result === 'string' ? 'failed' : 'ok' });
      return typeof result !== 'string' && result.isComplete ? result : undefined;
    },
  });
  return kept ?? result;
}

function withMaps(_key: string, value: unknown): unknown {
  return value instanceof Map ? Array.from(value) : value;
}
