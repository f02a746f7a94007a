import { wordIn } from '../../syntax/writeTags.ts';
import { element, type Html } from '../../tree/html.ts';
import type { Data } from '../../tree/nodes.ts';
import type { RenderContext } from '../../tree/renderContext.ts';
import type { FullBlock } from '../block.ts';

/** Renders the description of an operation, of schemas or of a webhook, or names it where there is none. */
export function renderOpenapi({ type, data }: FullBlock, context: RenderContext): Html {
  const described = context.openapi({ type, data }).then((html) => html ?? noticeOf(data, context));
  return { pending: described };
}

function noticeOf(data: Data, context: RenderContext): Html {
  const { title, href } = context.linkOf(data['ref']);
  const method = wordIn(data, 'method').toUpperCase();
  const names = [wordIn(data, 'path'), wordIn(data, 'name'), ...((data['schemas'] ?? []) as string[])];
  return element('section', { class: 'openapi' }, [
    element('p', { class: 'request' }, [
      method === '' ? '' : [element('span', { class: 'method' }, method), ' '],
      element('code', {}, names.filter((name) => name !== '').join(', ')),
    ]),
    element('p', { class: 'detail' }, [
      `${context.words.specification} `,
      element(href === undefined ? 'span' : 'a', { href }, title),
    ]),
  ]);
}
