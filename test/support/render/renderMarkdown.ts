import { parseDocument, resolveDocument } from '@bindery/dialect';
import type { PageToRender, RenderedPage, Renderer } from '@bindery/render';

/** The sources of a page whose files and pages are all there: pictures by their names. */
export const sources: PageToRender['sources'] = {
  linkOf: (ref) => {
    if (ref.kind === 'page')
      return { title: `Page ${String(ref['page'])}`, href: `#p-${String(ref['page'])}` };
    return ref.kind === 'user' ? { title: 'Ada' } : undefined;
  },
  fileOf: (id) => ({
    name: id,
    size: 1_234_567,
    href: `https://files.example/${encodeURIComponent(id)}`,
    ...(id.endsWith('.png') && { src: `https://render.invalid/files/${encodeURIComponent(id)}` }),
  }),
};

/** Renders Markdown as the page `x` with the title `Title`. */
export async function renderMarkdown(
  renderer: Renderer,
  markdown: string,
  more: Partial<PageToRender> = {},
): Promise<RenderedPage> {
  const document = resolveDocument(parseDocument(markdown), (target, use) => {
    if (/^(?:https?|data):/.test(target)) return undefined;
    if (use === 'image' || use === 'file') return { kind: 'file', file: target };
    return target.endsWith('.md') ? { kind: 'page', page: target.replace('.md', '') } : undefined;
  });
  return renderer.renderPage({
    page: { id: 'x', title: 'Title' },
    document,
    reader: 'member',
    sources,
    ...more,
  });
}
