/** Documents to sanitized, semantic HTML: for PDFs, and for published pages. */
export type {
  LinkTarget,
  Medium,
  PageFile,
  PageSources,
  PageToRender,
  RenderedPage,
  Renderer,
  RendererOptions,
  RenderLimits,
} from './face.ts';
export { directionOfLanguage } from './page/directions.ts';
export { idOfAnchor, idOfPage } from './page/ids.ts';
export { PageTooLargeError } from './page/pageTooLargeError.ts';
export { embeddedFont, mathStyleSheet, writeMathStyleSheet } from './typeset/mathStyleSheet.ts';
export { codeThemeOf, type CodeTheme, type TokenClass } from './typeset/codeTheme.ts';
export { createRenderer } from './renderer.ts';
export { createPageRenderers, renderingMemoryMb, type PageRenderers } from './thread/pageRenderers.ts';
export { renderThread, type RenderReply, type RenderRequest } from './thread/renderMessages.ts';
export type { Words } from './words/words.ts';
export { wordsOf } from './words/wordsOf.ts';
export { printStyleSheet, screenStyleSheet, styleSheet } from './styleSheets.ts';
