import type { PageToRender, RenderedPage } from '@bindery/render';
import type { Targets } from '../content/targets.ts';

/** A page for the thread: everything is plain data. */
export type RenderRequest = Omit<PageToRender, 'sources' | 'reader'> & Targets;

/** `tooLarge` says why the page cannot be printed as it is. */
export type RenderReply = { rendered: RenderedPage } | { tooLarge: string } | { error: string };
