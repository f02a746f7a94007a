import type { TranslationSegment } from '@bindery/contract';
import { changedMeanwhile, refused, sendForm, type Tried } from '../../http/apiForm.ts';
import { linesIn } from '../../http/fields.ts';
import type { Outcome } from '../../http/outcome.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import type { Page } from '../../layout/page.ts';
import { inOrganization } from '../organization/frame.ts';
import { translationPath } from './frame.ts';
import { loadReview } from './review.ts';
import { correct, segmentApi, segmentPlace, showSegment } from './showSegment.ts';

export const segmentRoutes: readonly Route[] = [
  page(segmentPlace, segmentPage),
  { method: 'post', admits: 'users', path: segmentPlace, act: saveText },
];

/** One text of a translation; the page of its form, when that was refused. */
async function segmentPage(visit: Visit, tried?: Tried): Promise<Page> {
  const [review, segment] = await Promise.all([
    loadReview(visit),
    visit.api.get<TranslationSegment>(segmentApi(visit.params)),
  ]);
  const list = tried?.fields.get('list') ?? '';
  return inOrganization(review.organization, visit, {
    title: 'Text',
    above: [...review.above, { name: 'Texts', path: listPath(visit, list) }],
    main: showSegment(visit, segment, { review, index: 0, list, tried }),
  });
}

/**
 * Saves a text when the translation is still the one that the form showed. `If-Match` makes sure of that also
 * between the look-up and the write.
 */
async function saveText(visit: Visit, fields: URLSearchParams): Promise<Outcome> {
  const [{ mayCorrect }, { body, headers }] = await Promise.all([
    loadReview(visit),
    visit.api.send<TranslationSegment>({ method: 'GET', path: segmentApi(visit.params) }),
  ]);
  // Others get the refusal of the API.
  if (mayCorrect && (body.target?.trim() ?? '') !== (linesIn(fields, 'seen') ?? '')) {
    const action = 'Bring both texts together in the form, and save it.';
    const failure = changedMeanwhile('this translation', action);
    return refused(failure, await segmentPage(visit, { form: correct, fields, failure }));
  }
  const etag = headers.get('etag');
  if (etag !== null) fields.set('etag', etag);
  return sendForm(correct, {
    visit,
    fields,
    next: ({ params }) => ({
      location: `${listPath(visit, fields.get('list') ?? '')}#${encodeURIComponent(params['segment'] ?? '')}`,
    }),
    again: segmentPage,
  });
}

function listPath({ params }: Visit, query: string): string {
  return `${translationPath(params)}/segments?${new URLSearchParams(query).toString()}`;
}
