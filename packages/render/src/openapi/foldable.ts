import { element, type Html, type RenderContext } from '@bindery/dialect';

/** A part below its title, which readers of a screen open and close; on paper it is open. */
export function foldable(
  { title, body, isOpen }: { title: Html; body: Html; isOpen: boolean },
  { tabGroup }: RenderContext,
): Html {
  if (!tabGroup || isEmpty(body)) return [element('p', { class: 'detail' }, title), body];
  return element('details', { class: 'part', open: isOpen }, element('summary', {}, title), body);
}

export function isEmpty(html: Html): boolean {
  return html === '' || (Array.isArray(html) && (html as readonly Html[]).every(isEmpty));
}
