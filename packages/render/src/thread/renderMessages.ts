import type { LinkTarget, PageFile, PageToRender, RenderedPage, RenderLimits } from '../face.ts';

/**
 * A page for `renderThread`, as plain data: instead of `sources` the targets of links by the JSON of the
 * reference, pictures and downloads by the id of the file, and the parts of specifications that the page
 * shows, by the name of the specification.
 */
export type RenderRequest = Omit<PageToRender, 'sources'> & {
  links: ReadonlyMap<string, LinkTarget>;
  files: ReadonlyMap<string, PageFile>;
  specs: ReadonlyMap<string, object>;
  /** Default: those of `RendererOptions`. */
  limits?: Partial<RenderLimits> | undefined;
};

/** `tooLarge` says why the page cannot be rendered as it is. */
export type RenderReply = { rendered: RenderedPage } | { tooLarge: string } | { error: string };

/** The script of a thread that answers a `RenderRequest` with a `RenderReply`, one page after the other. */
export const renderThread = new URL('renderThread.ts', import.meta.url);
