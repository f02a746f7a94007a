import { type Html, type RenderContext } from '@bindery/dialect';
import { blocksOfDescription } from '@bindery/dialect/openapi';

/** Renders the Markdown of a description. */
export function renderDescription(markdown: string, context: RenderContext): Html {
  return context.render(blocksOfDescription(markdown));
}
