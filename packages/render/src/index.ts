/** Documents to sanitized, semantic HTML: for PDFs, and for published pages. */
export type {
  LinkTarget,
  PageFile,
  PageSources,
  PageToRender,
  RenderedPage,
  Renderer,
  RendererOptions,
  RenderLimits,
} from './face.ts';
export { idOfAnchor, idOfPage } from './ids.ts';
export { PageTooLargeError } from './pageTooLargeError.ts';
