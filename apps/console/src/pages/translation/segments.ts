import { translationSegmentStates, type TranslationSegment } from '@bindery/contract';
import { html, type Html, type Value } from '@bindery/html';
import type { ListPage } from '../../api/api.ts';
import { withQuery } from '../../api/withQuery.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { choiceField } from '../../layout/field.ts';
import { furtherLink, placeIn } from '../../layout/furtherLink.ts';
import type { Page } from '../../layout/page.ts';
import { searchForm } from '../../layout/searchForm.ts';
import { inOrganization } from '../organization/frame.ts';
import { translationApi, translationPath, translationPlace } from './frame.ts';
import { loadReview } from './review.ts';
import { nameOfState, showSegment } from './showSegment.ts';

const shown = 20;
const states = translationSegmentStates.map((state) => [state, nameOfState(state)] as const);

export const segmentsRoutes: readonly Route[] = [page(`${translationPlace}/segments`, segmentsPage)];

/** The texts of a translation beside their sources, by state and page. */
async function segmentsPage(visit: Visit): Promise<Page> {
  const { api, params, query } = visit;
  // An empty field of the form is no filter.
  const filter = { state: query.get('state') || undefined, pageId: query.get('pageId') || undefined };
  const [review, found] = await Promise.all([
    loadReview(visit),
    api.get<ListPage<TranslationSegment>>(
      withQuery(`${translationApi(params)}/segments`, {
        ...filter,
        limit: shown,
        page: placeIn(query),
      }),
    ),
  ]);
  const { organization, above, mayCorrect } = review;
  const path = `${translationPath(params)}/segments`;
  return inOrganization(organization, visit, {
    title: 'Texts',
    above,
    main: html`${filterForm(path, filter)}
${filter.pageId !== undefined && pageNote(path, { filter, items: found.items })}
${mayCorrect && html`<p>Saving a text approves it: it then counts as written by a person. Keep its tags, such as <code>&lt;g id="1"></code>: they stand for formatting, links and code.</p>`}
<p>${countOf(found)}</p>
${found.items.map((segment, index) => showSegment(visit, segment, { review, index, list: query.toString() }))}
${furtherLink(found, { path, query, text: 'Further texts' })}`,
  });
}

type Filter = { state: string | undefined; pageId: string | undefined };

function filterForm(path: string, { state = '', pageId }: Filter): Html {
  return searchForm(path, {
    fields: html`${choiceField({ name: 'state', label: 'State' }, { options: [['', 'All'], ...states], value: state })}
${pageId !== undefined && html`<input type="hidden" name="pageId" value="${pageId}">`}`,
    button: 'Filter',
  });
}

function pageNote(
  path: string,
  { filter: { state, pageId }, items }: { filter: Filter; items: readonly TranslationSegment[] },
): Html {
  const everywhere = withQuery(path, { state });
  return html`<p>Of the page ${items[0]?.page.title ?? pageId} only. <a href="${everywhere}">Texts of all pages</a></p>`;
}

function countOf({ items, count }: ListPage<TranslationSegment>): Value {
  if (items.length === 0) return 'There are none.';
  return count === undefined ? 'More than 1,000 texts' : `${count} ${count === 1 ? 'text' : 'texts'}`;
}
