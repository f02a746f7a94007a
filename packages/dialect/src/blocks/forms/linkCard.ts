import { element, type Html } from '../../tree/html.ts';
import type { RenderedLink } from '../../tree/renderContext.ts';

/** A line with a link of its own: to a page, a file or an embedded site. */
export function linkCard(kind: string, { title, href, description = '', detail = '' }: RenderedLink): Html {
  const link = element(href === undefined ? 'strong' : 'a', { href }, title);
  return element('div', { class: `card-link ${kind}` }, [
    element('p', {}, link, detail === '' ? '' : element('span', { class: 'detail' }, ` ${detail}`)),
    description.trim() === '' ? '' : element('p', { class: 'description' }, description),
  ]);
}
