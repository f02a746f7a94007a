import { z } from 'zod';
import {
  announcement,
  codeTheme,
  contentRef,
  favicon,
  font,
  footerGroups,
  headerLinks,
  localized,
  logo,
  monospaceFont,
  socialAccounts,
  themedColor,
  tint,
} from './customizationValues.ts';
import { text, WebUrl } from '../input/input.ts';
import { SiteTitle } from './site.ts';

// The settings by group. A setting that a site space can override is defined once, for both schemas below.

const styling = {
  theme: z.enum(['clean', 'muted', 'bold', 'gradient']),
  primaryColor: themedColor,
  infoColor: themedColor,
  successColor: themedColor,
  warningColor: themedColor,
  dangerColor: themedColor,
  tint,
  corners: z.enum(['straight', 'rounded', 'circular']),
  depth: z.enum(['subtle', 'flat']),
  links: z.enum(['default', 'accent']),
  background: z.enum(['plain', 'match']),
  icons: z.enum(['regular', 'solid', 'duotone', 'light', 'thin']),
  search: z.enum(['prominent', 'subtle']),
};
const sidebar = { background: z.enum(['default', 'filled']), list: z.enum(['default', 'pill', 'line']) };
const codeThemes = { default: codeTheme, openapi: codeTheme };
const internationalization = {
  locale: z.enum(['en', 'fr', 'es', 'zh', 'ja', 'de', 'nl', 'no', 'pt-br', 'ru']),
};
const header = {
  preset: z.enum(['default', 'bold', 'contrast', 'custom', 'none']),
  logo,
  primaryLink: contentRef,
  backgroundColor: themedColor,
  linkColor: themedColor,
  links: headerLinks,
};
const footer = { logo, groups: footerGroups, copyright: text(0, 512) };
const themes = { default: z.enum(['light', 'dark', 'system']), toggeable: z.boolean() };
const enabled = { enabled: z.boolean() };
const externalLinks = { target: z.enum(['self', 'blank']) };
const url = { url: WebUrl };
const titles = { title: SiteTitle, localizedTitle: localized(128) };

const sameInBoth = (value: string) => ({ light: value, dark: value });
const defaultCodeTheme = { light: 'default-light', dark: 'default-dark' };

/**
 * The complete customization of a site. Omitted settings get their defaults, so that clients of older and
 * newer versions, which each know only some settings, can set it.
 */
export const UpdateSiteCustomization = z
  .object({
    ...withDefaults(titles, {}),
    styling: z
      .object({
        ...withDefaults(
          { ...styling, font, headingFont: font.nullable(), monospaceFont },
          {
            theme: 'clean',
            primaryColor: sameInBoth('#346ddb'),
            infoColor: sameInBoth('#787878'),
            successColor: sameInBoth('#00c950'),
            warningColor: sameInBoth('#fe9a00'),
            dangerColor: sameInBoth('#fb2c36'),
            corners: 'rounded',
            depth: 'subtle',
            links: 'default',
            background: 'plain',
            icons: 'regular',
            search: 'prominent',
            font: 'Inter',
            monospaceFont: 'IBMPlexMono',
          },
        ),
        sidebar: z.object(withDefaults(sidebar, { background: 'default', list: 'default' })).prefault({}),
        codeTheme: z
          .object(withDefaults(codeThemes, { default: defaultCodeTheme, openapi: defaultCodeTheme }))
          .prefault({}),
      })
      .prefault({}),
    internationalization: z.object(withDefaults(internationalization, { locale: 'en' })).prefault({}),
    favicon: favicon.default({}),
    header: z.object(withDefaults(header, { preset: 'default', links: [] })).prefault({}),
    footer: z.object(withDefaults(footer, { groups: [] })).prefault({}),
    announcement: announcement.optional(),
    themes: z.object(withDefaults(themes, { default: 'light', toggeable: true })).prefault({}),
    pdf: z.object(withDefaults(enabled, { enabled: true })).prefault({}),
    feedback: z.object(withDefaults(enabled, { enabled: false })).prefault({}),
    ai: z
      .object({
        mode: z.enum(['none', 'search', 'assistant']).default('none'),
        greeting: text(0, 256).optional(),
        localizedGreeting: localized(128).optional(),
        suggestions: z.array(text(3, 64)).max(5).optional(),
        instructions: text(0, 10_000).optional(),
      })
      .prefault({}),
    advancedCustomization: z.object(withDefaults(enabled, { enabled: true })).prefault({}),
    git: z.object({ showEditLink: z.boolean().default(false) }).prefault({}),
    pageActions: z
      .object({
        externalAI: z.boolean().default(false),
        markdown: z.boolean().default(true),
        items: z
          .array(z.enum(['assistant', 'external-ai', 'markdown', 'mcp', 'git', 'pdf']))
          .max(20)
          .default(['markdown', 'pdf']),
      })
      .prefault({}),
    externalLinks: z.object(withDefaults(externalLinks, { target: 'self' })).prefault({}),
    pagination: z.object(withDefaults(enabled, { enabled: true })).prefault({}),
    trademark: z.object(withDefaults(enabled, { enabled: false })).prefault({}),
    privacyPolicy: z.object(withDefaults(url, {})).prefault({}),
    socialPreview: z.object(withDefaults(url, {})).prefault({}),
    socialAccounts: socialAccounts.default([]),
    insights: z.object({ trackingCookie: z.boolean().default(true) }).prefault({}),
  })
  .superRefine(refuseLarge)
  .meta({ id: 'SiteCustomizationSettingsInput' });
/** The complete customization of a site. */
export type SiteCustomization = z.output<typeof UpdateSiteCustomization>;

export const SiteCustomizationSettings = z
  .object({ ...UpdateSiteCustomization.shape, updatedAt: z.iso.datetime().optional() })
  .meta({ id: 'SiteCustomizationSettings' });
export type SiteCustomizationSettings = z.output<typeof SiteCustomizationSettings>;

export const SiteSpaceCustomizationSettings = z
  .object({
    ...SiteCustomizationSettings.shape,
    hasOverrides: z.boolean().describe('Whether it overrides the customization of the site.'),
  })
  .meta({ id: 'SiteSpaceCustomizationSettings' });
export type SiteSpaceCustomizationSettings = z.output<typeof SiteSpaceCustomizationSettings>;

/** The overrides of a site space; null removes one. */
export const UpdateSiteSpaceCustomization = z
  .object({
    ...orNull({ ...titles, favicon, announcement }),
    styling: z
      .object({
        ...orNull(styling),
        sidebar: z.object(orNull(sidebar)).optional(),
        codeTheme: z.object(orNull(codeThemes)).optional(),
      })
      .optional(),
    internationalization: z.object(orNull(internationalization)).optional(),
    header: z.object(orNull(header)).optional(),
    footer: z.object(orNull(footer)).optional(),
    themes: z.object(orNull(themes)).optional(),
    feedback: z.object(orNull(enabled)).optional(),
    externalLinks: z.object(orNull(externalLinks)).optional(),
    pagination: z.object(orNull(enabled)).optional(),
    trademark: z.object(orNull(enabled)).optional(),
    privacyPolicy: z.object(orNull(url)).optional(),
    socialPreview: z.object(orNull(url)).optional(),
  })
  .superRefine(refuseLarge)
  .meta({ id: 'UpdateSiteSpaceCustomization' });
export type SiteSpaceCustomization = z.output<typeof UpdateSiteSpaceCustomization>;

type Values = Record<string, z.ZodType>;

/** The fields of a group of settings: fields with a default always have a value, others may have none. */
function withDefaults<S extends Values, D extends { [K in keyof S]?: z.output<S[K]> }>(
  values: S,
  defaults: D,
) {
  const fields = Object.entries(values).map(([name, schema]) => [
    name,
    Object.hasOwn(defaults, name)
      ? schema.default((defaults as Record<string, unknown>)[name])
      : schema.optional(),
  ]);
  return Object.fromEntries(fields) as {
    [K in keyof S]: K extends keyof D ? z.ZodDefault<S[K]> : z.ZodOptional<S[K]>;
  };
}

function orNull<S extends Values>(values: S) {
  const fields = Object.entries(values).map(([name, schema]) => [name, schema.nullable().optional()]);
  return Object.fromEntries(fields) as { [K in keyof S]: z.ZodOptional<z.ZodNullable<S[K]>> };
}

const maxCharacters = 65_536;

/** Limits the size, because customization is stored and read with its site. */
function refuseLarge(settings: object, context: z.core.$RefinementCtx): void {
  if (JSON.stringify(settings).length > maxCharacters)
    context.addIssue({ code: 'custom', message: `must have at most ${maxCharacters} characters as JSON` });
}
