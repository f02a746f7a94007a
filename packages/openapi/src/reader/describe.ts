import { isPart, type Part } from '../source/parts.ts';
import { shapeOf, type Shape } from '../source/structure.ts';
import { descriptionHtml } from './descriptionHtml.ts';

/** GitBook's reader puts this, or else the plain description, into the page as it is. */
const htmlKey = 'x-gitbook-description-html';

/**
 * Gives every object with a description the same as sanitized HTML, and drops HTML that the author gave.
 * Examples, defaults and enumerated values are data, and stay as they are but for that HTML.
 */
export function describe(document: Part): void {
  const known = new Map<string, string>();
  visit(document, 'document');

  function visit(value: unknown, shape: Shape | 'data'): void {
    if (Array.isArray(value)) {
      for (const element of value) visit(element, shape);
      return;
    }
    if (!isPart(value)) return;
    if (Object.hasOwn(value, htmlKey)) delete value[htmlKey];
    for (const key in value) {
      const member = value[key];
      if (typeof member !== 'object' || member === null) continue;
      const inner = shape === 'data' ? shape : shapeOf(key, shape);
      // The reader may show extensions, such as webhooks of older versions.
      visit(member, inner === 'data' && key.startsWith('x-') ? 'plain' : inner);
    }
    const description = value['description'];
    if (shape === 'data' || typeof description !== 'string' || description === '') return;
    const html = known.get(description) ?? descriptionHtml(description);
    known.set(description, html);
    value[htmlKey] = html;
  }
}
