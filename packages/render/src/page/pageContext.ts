import type { DocumentNode } from '@bindery/contract';
import { isSafeTarget, schemeOf } from '@bindery/contract/linkTarget';
import {
  element,
  headingsOf,
  nameOfTarget,
  renderNodes,
  stableTarget,
  type Html,
  type Reference,
  type RenderContext,
  type RenderedLink,
} from '@bindery/dialect';
import { percentDecoded } from '@bindery/dialect/links';
import type { PageToRender, RenderedPage } from '../face.ts';
import { renderOpenapi } from '../openapi/renderOpenapi.ts';
import { sizeText } from '../sizeText.ts';
import type { Typesetter } from '../typeset/typesetter.ts';
import { wordsOf } from '../words/wordsOf.ts';
import type { PageIds } from './ids.ts';

/** The services for the blocks of one page, and what they collected. */
export type PageContext = RenderContext & {
  /** Renders the notes that blocks asked for, in order. */
  notes(): Html;
  /** Markup of libraries, by number. */
  inserted: string[];
  images: Map<string, RenderedPage['images'][number]>;
  usedId(wanted: string): string;
  isComplete(): boolean;
};

type Services = { typesetter: Typesetter; linkSchemes: readonly string[]; ids: PageIds };

export function createPageContext(given: PageToRender, services: Services): PageContext {
  const { page, document, sources, isTypeset = true, medium = 'paper' } = given;
  const { ids: idsOfPage } = services;
  const words = wordsOf(page.language);
  const anchors = new Set(headingsOf(document).map(({ id }) => id));
  const ids = new Set<string>();
  const noted: (readonly DocumentNode[])[] = [];
  const images: PageContext['images'] = new Map();
  const inserted: string[] = [];
  let tabGroups = 0;
  const typesetter = services.typesetter.forPage({ isTypeset });

  const usedId = (wanted: string): string => {
    let id = wanted;
    for (let count = 2; ids.has(id); count += 1) id = `${wanted}-${count}`;
    ids.add(id);
    return id;
  };
  const anchorLink = (anchor: string, title: string): RenderedLink => ({
    title,
    href: `#${anchors.has(anchor) ? idsOfPage.anchor(anchor) : idsOfPage.page}`,
  });
  const addressOf = (href: string | undefined): { href?: string } => {
    if (href === undefined) return {};
    const full = href.startsWith('//') ? `https:${href}` : href;
    const scheme = schemeOf(full);
    const isKnown = scheme === undefined ? full.startsWith('#') : services.linkSchemes.includes(scheme);
    return isKnown && isSafeTarget(full) ? { href: full.trim() } : {};
  };
  /** A path that the caller gave, never one that an author wrote. */
  const isOwnPath = (href: string | undefined) => medium !== 'paper' && /^\/(?![/\\])/.test(href ?? '');
  const writtenLink = (url: string): RenderedLink => {
    if (url.startsWith('#')) return anchorLink(percentDecoded(url.slice(1)) ?? url.slice(1), url.slice(1));
    const { href } = addressOf(url);
    return href === undefined ? { title: nameOfTarget(url) } : { title: url.replace(/^mailto:/i, ''), href };
  };
  const fileLink = (id: string): RenderedLink => {
    const file = sources.fileOf(id);
    if (!file) return { title: id };
    const size = file.size === undefined ? {} : { detail: sizeText(file.size) };
    return {
      title: file.name,
      ...(isOwnPath(file.href) ? { href: file.href } : addressOf(file.href)),
      ...size,
    };
  };

  const context: PageContext = {
    render: (nodes) => renderNodes(nodes, context),
    linkOf: (ref) => {
      const reference = (ref ?? {}) as Reference & { url?: unknown; target?: unknown };
      const { kind } = reference;
      const written = kind === 'url' ? reference.url : reference.target;
      const isWritten = kind === 'url' || kind === 'target';
      if (isWritten && typeof written === 'string') return writtenLink(written);
      if (kind === 'file') return fileLink(String(reference['file']));
      const isHere = reference['page'] === undefined || reference['page'] === page.id;
      if (kind === 'anchor' && isHere && reference['space'] === undefined)
        return anchorLink(String(reference['anchor']), String(reference['anchor']));
      const found = sources.linkOf(reference);
      if (!found) return { title: fallbackTitle(reference) };
      const { title, href, description } = found;
      return { title, ...(isOwnPath(href) ? { href } : addressOf(href)), description };
    },
    pictureOf: (ref) => {
      const { kind, file, url } = (ref ?? {}) as { kind?: unknown; file?: unknown; url?: unknown };
      if (kind === 'file' && typeof file === 'string') {
        const src = sources.fileOf(file)?.src;
        if (src === undefined) return fileLink(file);
        images.set(src, { file, src });
        return { src };
      }
      if (typeof url === 'string' && isEmbedded(url)) return { src: url.trim() };
      return context.linkOf(ref);
    },
    idOf: (anchor) => usedId(idsOfPage.anchor(anchor)),
    tabGroup: medium === 'screen' ? () => `tabs-${(tabGroups += 1)}` : undefined,
    noteOf: (nodes) => {
      const number = noted.push(nodes);
      return {
        number,
        noteId: usedId(idsOfPage.note(number, 'note')),
        referenceId: usedId(idsOfPage.note(number, 'reference')),
      };
    },
    highlighted: async (code, language) => typesetter.highlighted(code, language),
    formula: (tex, display) => {
      const html = typesetter.formula(tex, display).then((set): Html => {
        if (set === undefined) return element('code', { class: 'tex' }, tex);
        const place = { inserted: inserted.push(set) - 1 };
        return element('span', { role: 'img', 'aria-label': tex.trim(), class: 'math' }, place);
      });
      return { pending: html };
    },
    openapi: async ({ type, data }) => {
      const document = await sources.openapiOf?.((data['ref'] ?? {}) as Reference);
      return document && renderOpenapi(document, { type, data }, { context, words: words.openapi });
    },
    words,
    dateOf: (time, format) => dateText(time, { format, language: page.language }),
    notes: () => {
      const rendered: Html[] = [];
      // A note may contain further notes.
      for (let index = 0; index < noted.length; index += 1) {
        const back = element('a', { href: `#${idsOfPage.note(index + 1, 'reference')}` }, `^${index + 1}`);
        rendered.push(
          element('li', { id: idsOfPage.note(index + 1, 'note') }, [
            context.render(noted[index] ?? []),
            element('p', { class: 'back' }, back),
          ]),
        );
      }
      return rendered.length === 0 ? '' : element('section', { class: 'notes' }, element('ol', {}, rendered));
    },
    inserted,
    images,
    usedId,
    isComplete: () => typesetter.isComplete(),
  };
  return context;
}

/** In a format that has only pixels. */
function isEmbedded(url: string): boolean {
  return schemeOf(url) === 'data' && isSafeTarget(url, 'picture');
}

function fallbackTitle(ref: Reference): string {
  return typeof ref['user'] === 'string' ? ref['user'] : nameOfTarget(stableTarget(ref));
}

const formats: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  numeric: { year: 'numeric', month: '2-digit', day: '2-digit' },
  short: { year: 'numeric', month: 'short', day: 'numeric' },
  full: { year: 'numeric', month: 'long', day: 'numeric' },
};

function dateText(
  time: string,
  { format, language = 'en' }: { format: string; language?: string | undefined },
): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  const known = Intl.DateTimeFormat.supportedLocalesOf(isTag(language) ? language : 'en');
  return new Intl.DateTimeFormat([...known, 'en'], {
    ...(formats[format] ?? formats['full']),
    timeZone: 'UTC',
  }).format(date);
}

function isTag(language: string): boolean {
  return /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(language);
}
