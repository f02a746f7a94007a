import { codeBlock, type Html, type RenderContext } from '@bindery/dialect';
import { membersIn, type Part, type Specification } from '@bindery/dialect/openapi';

const longestExample = 4_000;

/** The example of a media type, as JSON or as its author wrote it; undefined for one that is too long. */
export function exampleOf(media: Part, specification: Specification): string | undefined {
  const [named] = membersIn(media, 'examples');
  const example = media['example'] ?? (named && specification.read(named[1])['value']);
  if (example === undefined || example === null) return undefined;
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  return text.length > longestExample ? undefined : text;
}

export function renderExample(text: string, context: RenderContext): Html {
  return context.render([codeBlock(text, { syntax: 'json' })]);
}
