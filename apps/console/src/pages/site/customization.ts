import type { SiteCustomizationSettings } from '@bindery/contract';
import { html, type Html } from '@bindery/html';
import { sendForm, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { textIn } from '../../http/fields.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { checkField, choiceField, textField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import type { Page } from '../../layout/page.ts';
import { mayUse } from '../../session/mayUse.ts';
import { inSite, loadSite, siteApi, sitePath, sitePlace } from './frame.ts';

const place = `${sitePlace}/customization`;

const choices = {
  theme: ['clean', 'muted', 'bold', 'gradient'],
  corners: ['straight', 'rounded', 'circular'],
  mode: ['light', 'dark', 'system'],
  locale: ['en', 'fr', 'es', 'zh', 'ja', 'de', 'nl', 'no', 'pt-br', 'ru'],
} as const;

export const customizationRoutes: readonly Route[] = [
  page(place, customizationPage),
  {
    method: 'post',
    admits: 'users',
    path: place,
    act: async (visit, fields) =>
      sendForm(formFor(await loadCustomization(visit)), {
        visit,
        fields,
        next: ({ params }) => ({ location: `${sitePath(params)}/customization` }),
        again: customizationPage,
      }),
  },
];

async function loadCustomization({ api, params }: Visit): Promise<SiteCustomizationSettings> {
  return api.get<SiteCustomizationSettings>(`${siteApi(params)}/customization`);
}

/** The API replaces all settings at once, so that those without a field are sent as they are. */
function formFor(current: SiteCustomizationSettings): ApiForm {
  return {
    path: place,
    request: (params, fields) => ({
      method: 'PUT',
      path: `${siteApi(params)}/customization`,
      json: changed(current, fields),
    }),
  };
}

function changed(current: SiteCustomizationSettings, fields: URLSearchParams): object {
  const text = (name: string) => textIn(fields, name);
  const logo = text('logo');
  const primary = { light: text('primaryLight'), dark: text('primaryDark') };
  return {
    ...current,
    title: text('title'),
    styling: {
      ...current.styling,
      theme: text('theme'),
      corners: text('corners'),
      ...(primary.light !== undefined && primary.dark !== undefined && { primaryColor: primary }),
    },
    internationalization: { locale: text('locale') },
    themes: { default: text('mode'), toggeable: fields.has('toggeable') },
    header: {
      ...current.header,
      logo: logo === undefined ? undefined : { light: logo, dark: text('darkLogo') ?? logo },
    },
    footer: { ...current.footer, copyright: text('copyright') },
    privacyPolicy: { url: text('privacyPolicy') },
    pdf: { enabled: fields.has('pdf') },
    feedback: { enabled: fields.has('feedback') },
    pagination: { enabled: fields.has('pagination') },
    git: { showEditLink: fields.has('editLink') },
  };
}

async function customizationPage(visit: Visit, tried?: Tried): Promise<Page> {
  const [site, current] = await Promise.all([loadSite(visit), loadCustomization(visit)]);
  const form = tried?.form ?? formFor(current);
  return inSite(site, visit, {
    title: 'Customization',
    main:
      site.permissions.edit && mayUse(visit.session, 'write')
        ? html`<p>Settings that are not here, such as links of the header, stay as the API has them.</p>
${formOf(form, { visit, tried, button: 'Save the customization', fields: fieldsOf(current, { form, tried }) })}`
        : html`<p>You may not change this site.</p>`,
  });
}

function fieldsOf(
  {
    title,
    styling,
    internationalization,
    themes,
    header,
    footer,
    privacyPolicy,
    ...rest
  }: SiteCustomizationSettings,
  { form, tried }: { form: ApiForm; tried: Tried | undefined },
): Html {
  const input = (name: string, label: string, value?: string) =>
    textField({ name, label }, { value: typed(tried, form, name, value) });
  const choice = (name: keyof typeof choices, label: string, value: string) =>
    choiceField(
      { name, label },
      { options: choices[name].map((one) => [one, one] as const), value: typed(tried, form, name, value) },
    );
  const box = (name: string, label: string, isOn: boolean) =>
    checkField({ name, label }, tried ? tried.fields.has(name) : isOn);
  return html`${input('title', 'Title, if it differs from that of the site', title)}
${choice('theme', 'Theme', styling.theme)}
${input('primaryLight', 'Main colour on light, such as #346ddb', styling.primaryColor.light)}
${input('primaryDark', 'Main colour on dark', styling.primaryColor.dark)}
${choice('corners', 'Corners', styling.corners)}
${choice('locale', 'Language of its buttons', internationalization.locale)}
${choice('mode', 'Light or dark', themes.default)}
${input('logo', 'URL of the logo', header.logo?.light)}
${input('darkLogo', 'URL of the logo on dark', header.logo?.dark)}
${input('copyright', 'Copyright in the footer', footer.copyright)}
${input('privacyPolicy', 'URL of the privacy policy', privacyPolicy.url)}
${box('toggeable', 'Visitors choose between light and dark', themes.toggeable)}
${box('pdf', 'Offer PDFs', rest.pdf.enabled)}
${box('feedback', 'Ask for feedback', rest.feedback.enabled)}
${box('pagination', 'Links to the next and the previous page', rest.pagination.enabled)}
${box('editLink', 'Links to edit pages in git', rest.git.showEditLink)}`;
}
