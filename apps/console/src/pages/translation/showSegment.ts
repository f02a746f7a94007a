import type { TranslationSegment } from '@bindery/contract';
import { html, type Html, type Value } from '@bindery/html';
import { maxListedSource } from '@bindery/models';
import { directionOfLanguage } from '@bindery/render';
import { apiPath } from '@bindery/runtime';
import { withQuery } from '../../api/withQuery.ts';
import type { ApiForm, Tried } from '../../http/apiForm.ts';
import { linesIn } from '../../http/fields.ts';
import type { Visit } from '../../http/route.ts';
import { formOf, typed } from '../../layout/form.ts';
import { translationApi, translationPath, translationPlace } from './frame.ts';
import { nameOfLanguage } from './languages.ts';
import type { Review } from './review.ts';

/** Where the page of a text is. */
export const segmentPlace = `${translationPlace}/segments/:segment`;

/** Translates a text by hand. */
export const correct: ApiForm = {
  path: segmentPlace,
  request: (params, fields) => ({
    method: 'PATCH',
    path: segmentApi(params),
    json: { text: linesIn(fields, 'text') ?? '' },
  }),
  example: { text: 'The translation.' },
};

/** The path of a text in the API. */
export function segmentApi({ segment = '', ...params }: Record<string, string>): string {
  return translationApi(params) + apiPath`/segments/${segment}`;
}

const names: Record<TranslationSegment['state'], string> = {
  machine: 'from an engine',
  human: 'from a person',
  kept: 'not translated',
  conflict: 'source changed after an edit by hand',
  removed: 'edited by hand, source removed',
};

export function nameOfState(state: TranslationSegment['state']): string {
  return names[state];
}

type Look = {
  review: Review;
  /** Its number on the page. */
  index: number;
  /** The query of the list to which its form leads back. */
  list: string;
  tried?: Tried | undefined;
};

/** A text with its source, all versions of a conflict, and the form that corrects or approves it. */
export function showSegment(visit: Visit, segment: TranslationSegment, look: Look): Html {
  const { id, state, page, role, source, target, reason, pending, unknownWords } = segment;
  const { translation } = look.review;
  const segments = `${translationPath(visit.params)}/segments`;
  const ofPage = withQuery(segments, { pageId: page.id });
  return html`<section class="panel" id="${id}" aria-labelledby="segment-${look.index}">
<h2 id="segment-${look.index}">${look.index + 1}: ${role} of ${page.title}</h2>
<p><span class="state ${state === 'conflict' ? 'bad' : 'soft'}">${nameOfState(state)}</span>${pending && ', in the result after the next run'}
<a href="${ofPage}">Texts of this page</a></p>
${reason !== undefined && html`<p>${reason}</p>`}
${unknownWords > 0 && html`<p>${unknownWords} words that the engine does not know</p>`}
${versions({ heading: 'Now', source, target }, translation)}
${segment.replaced && versions({ heading: 'When a person translated it', ...segment.replaced }, translation)}
${look.review.mayCorrect && corrections(visit, segment, look)}
</section>`;
}

type Versions = { heading: string; source: string; target: string | undefined };

/** A source and its translation, side by side where there is room. */
function versions(
  { heading, source, target }: Versions,
  translation: Pick<Review['translation'], 'source' | 'language'>,
): Html {
  return html`<h3>${heading}</h3>
<div class="texts">${version(source, translation.source.language)}${version(target, translation.language)}</div>`;
}

function version(text: string | undefined, language: string): Html {
  return html`<div><p class="kind">${nameOfLanguage(language)}</p>
${
  text === undefined
    ? html`<p class="soft">none</p>`
    : html`<p class="text" lang="${language}" dir="${directionOfLanguage(language)}">${text}</p>`
}</div>`;
}

function corrections(visit: Visit, segment: TranslationSegment, look: Look): Value {
  const { state, source, replaced } = segment;
  if (state === 'removed') return html`<p>Translate the text that replaces it.</p>`;
  if (source.length >= maxListedSource)
    return html`<p>It is too long to be translated here: edit the page of the result.</p>`;
  return html`${textForm(visit, segment, look)}
${
  replaced &&
  formOf(correct, {
    visit,
    params: { segment: segment.id },
    button: 'Take the earlier text of a person',
    isMain: false,
    fields: html`${hiddenFields(segment, look)}<input type="hidden" name="text" value="${replaced.target}">`,
  })
}`;
}

function textForm(visit: Visit, segment: TranslationSegment, look: Look): Html {
  const { language } = look.review.translation;
  const field = `text-${look.index}`;
  const text = typed(look.tried, correct, 'text', segment.target ?? segment.source);
  return formOf(correct, {
    visit,
    tried: look.tried,
    params: { segment: segment.id },
    button: segment.state === 'conflict' ? 'Save the new text' : 'Save',
    fields: html`${hiddenFields(segment, look)}<label for="${field}">${nameOfLanguage(language)}</label>
<textarea id="${field}" name="text" rows="3" lang="${language}" dir="${directionOfLanguage(language)}" spellcheck="true">
${text}</textarea>`,
  });
}

/** `seen`: the text that the form changes; another one by now is not overwritten. */
function hiddenFields({ target = '' }: TranslationSegment, { list }: Look): Html {
  return html`<input type="hidden" name="seen" value="${target}"><input type="hidden" name="list" value="${list}">`;
}
