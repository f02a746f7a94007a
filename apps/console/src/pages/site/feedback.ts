import { maxFeedbackMonths, type SitePageFeedback } from '@bindery/contract';
import { html, table, type Html } from '@bindery/html';
import type { ListPage } from '../../api/api.ts';
import { withQuery } from '../../api/withQuery.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { choiceField } from '../../layout/field.ts';
import { furtherLink, placeIn } from '../../layout/furtherLink.ts';
import type { Page } from '../../layout/page.ts';
import { searchForm } from '../../layout/searchForm.ts';
import { mayUse } from '../../session/mayUse.ts';
import { inSite, loadSite, siteApi, sitePath, sitePlace } from './frame.ts';

const usualMonths = '3';
const periods = [
  ['1', 'This month'],
  [usualMonths, 'Three months'],
  ['12', 'Twelve months'],
  [String(maxFeedbackMonths), 'Two years'],
] as const;

export const feedbackRoutes: readonly Route[] = [page(`${sitePlace}/feedback`, feedbackPage)];

/** How helpful readers found the pages of a site. */
async function feedbackPage(visit: Visit): Promise<Page> {
  const { api, params, query, session } = visit;
  const site = await loadSite(visit);
  const title = 'Feedback';
  if (!site.permissions.edit || !mayUse(session, 'write'))
    return inSite(site, visit, { title, main: html`<p>You may not change this site.</p>` });
  const months = query.get('months') ?? usualMonths;
  const list = await api.get<ListPage<SitePageFeedback>>(
    withQuery(`${siteApi(params)}/feedback`, { months, limit: 50, page: placeIn(query) }),
  );
  const path = `${sitePath(params)}/feedback`;
  return inSite(site, visit, {
    title,
    main: html`<p>Readers say whether a page was helpful, where the customization asks them.</p>
${searchForm(path, {
  fields: choiceField({ name: 'months', label: 'Period' }, { options: periods, value: months }),
  button: 'Show',
})}
${feedbackTable(list.items)}
${furtherLink(list, { path, query, text: 'Further pages' })}`,
  });
}

function feedbackTable(pages: readonly SitePageFeedback[]): Html {
  return table<SitePageFeedback>(
    { id: 'feedback', caption: 'Was the page helpful?', none: 'No reader has answered.' },
    [
      { name: 'Page', cell: nameOf },
      { name: 'No', cell: ({ bad }) => bad, isNumber: true },
      { name: 'Somewhat', cell: ({ ok }) => ok, isNumber: true },
      { name: 'Yes', cell: ({ good }) => good, isNumber: true },
    ],
    pages,
  );
}

function nameOf({ title, path, page: id }: SitePageFeedback): Html {
  if (title === undefined) return html`<code>${id}</code> (gone, or not yours to read)`;
  return html`${title} ${path !== undefined && html`<code>${path}</code>`}`;
}
