import { createPageRenderers, type RenderedPage, type RenderRequest } from '@bindery/render';

/** Renders pages on threads, one at a time for each session, so that none takes all threads. */
export type SessionRenderers = {
  /**
   * @param asked.signal  a page that nobody waits for any more is not rendered
   * @returns the reason instead when the page is too large, or takes too long or too much memory
   */
  render(
    page: RenderRequest,
    asked: { session: string; signal: AbortSignal },
  ): Promise<RenderedPage | string>;
  close(): Promise<void>;
};

/** Starts the threads with the first page. */
export function createSessionRenderers(): SessionRenderers {
  const renderers = createPageRenderers();
  /** The end of the last page that each session has asked for. */
  const last = new Map<string, Promise<unknown>>();
  return {
    async render(page, { session, signal }) {
      const before = last.get(session);
      const rendered = (async () => {
        await before;
        return signal.aborted ? 'It was not waited for.' : renderers.render(page);
      })();
      const end = rendered.catch(() => undefined);
      last.set(session, end);
      try {
        return await rendered;
      } finally {
        if (last.get(session) === end) last.delete(session);
      }
    },
    close: async () => renderers.close(),
  };
}
