import { z } from 'zod';
import { Emoji } from '../document/emoji.ts';
import { text, WebUrl } from '../input/input.ts';
import { isSafeTarget } from '../document/linkTarget.ts';
import { Condition } from './siteStructure.ts';
import { Language } from '../space/space.ts';

// The value types of a site's customization. None has its own id in the document, because a URL has different
// schemas in requests and in responses.

const color = z.string().regex(/^#(?:[0-9a-fA-F]{3}){1,2}$/, 'must be a colour such as #346ddb');
export const themedColor = z.object({ light: color, dark: color });
const themedUrl = z.object({ light: WebUrl, dark: WebUrl });

/** A text in several languages. */
export function localized(max: number) {
  return z.partialRecord(Language, text(0, max));
}

/** The target of a link that visitors of a site click. */
const LinkTarget = text(0, 2048).refine(
  (url) => !/[\s\\]|\p{Cc}/u.test(url) && isSafeTarget(url),
  'must be a path, or a URL that begins with http:, https:, mailto: or tel:',
);

const name = text(1, 256);
const space = name.optional();
// The reference is not checked: its target may be removed later, and a customization that names it must stay
// readable and settable.
export const contentRef = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('url'), url: LinkTarget }),
  z.object({ kind: z.literal('file'), file: name, space }),
  z.object({ kind: z.literal('page'), page: name, space }),
  z.object({ kind: z.literal('anchor'), anchor: name, page: name.optional(), space }),
  z.object({ kind: z.literal('user'), user: name }),
  z.object({ kind: z.literal('collection'), collection: name }),
  z.object({ kind: z.literal('space'), space: name }),
  z.object({ kind: z.literal('reusable-content'), reusableContent: name, space }),
  z.object({ kind: z.literal('tag'), tag: name, space }),
  z.object({ kind: z.literal('openapi'), spec: name }),
]);

const contentLink = z.object({
  title: text(0, 64),
  localizedTitle: localized(64).optional(),
  to: contentRef,
});

export const headerLinks = z
  .array(
    z.object({
      title: text(0, 128),
      localizedTitle: localized(128).optional(),
      style: z.enum(['link', 'button-primary', 'button-secondary']).optional(),
      to: contentRef.nullable(),
      links: z.array(contentLink).max(50),
      condition: Condition.optional(),
    }),
  )
  .max(50);

export const footerGroups = z
  .array(
    z.object({
      title: text(0, 128),
      localizedTitle: localized(128).optional(),
      links: z.array(contentLink).max(50),
    }),
  )
  .max(20);

export const announcement = z.object({
  enabled: z.boolean(),
  message: text(2, 128),
  localizedMessage: localized(128).optional(),
  link: contentLink.optional(),
  style: z.enum(['info', 'warning', 'danger', 'success']),
});

export const logo = themedUrl;
export const favicon = z.union([
  z.strictObject({ icon: themedUrl }),
  z.strictObject({ emoji: Emoji }),
  z.strictObject({}),
]);
export const tint = z.object({ color: themedColor });

const ownFont = z.object({
  id: text(1, 128),
  custom: z.boolean(),
  fontFamily: text(1, 50),
  fontFaces: z
    .array(
      z.object({
        weight: z.int().min(1).max(1000),
        sources: z
          .array(z.object({ url: WebUrl, format: z.enum(['woff2', 'woff']).optional() }))
          .min(1)
          .max(10),
      }),
    )
    .min(1)
    .max(20),
});
export const font = z.union([
  z.enum([
    ...([
      'ABCFavorit',
      'Inter',
      'Roboto',
      'RobotoSlab',
      'OpenSans',
      'SourceSansPro',
      'Lato',
      'Ubuntu',
      'Raleway',
    ] as const),
    ...(['Merriweather', 'Overpass', 'NotoSans', 'IBMPlexSerif', 'Poppins', 'FiraSans'] as const),
  ]),
  ownFont,
]);
export const monospaceFont = z.union([
  z.enum([
    'FiraCode',
    'IBMPlexMono',
    'JetBrainsMono',
    'SourceCodePro',
    'RobotoMono',
    'SpaceMono',
    'DMMono',
    'Inconsolata',
  ]),
  ownFont,
]);

const codeThemes =
  'default-light default-dark monochrome-light monochrome-dark andromeeda aurora-x ayu-dark catppuccin-frappe catppuccin-latte ' +
  'catppuccin-macchiato catppuccin-mocha dark-plus dracula dracula-soft everforest-dark everforest-light github-dark github-dark-default ' +
  'github-dark-dimmed github-dark-high-contrast github-light github-light-default github-light-high-contrast gruvbox-dark-hard ' +
  'gruvbox-dark-medium gruvbox-dark-soft gruvbox-light-hard gruvbox-light-medium gruvbox-light-soft houston kanagawa-dragon kanagawa-lotus ' +
  'kanagawa-wave laserwave light-plus material-theme material-theme-darker material-theme-lighter material-theme-ocean ' +
  'material-theme-palenight min-dark min-light monokai night-owl nord one-dark-pro one-light plastic poimandres red rose-pine ' +
  'rose-pine-dawn rose-pine-moon slack-dark slack-ochin snazzy-light solarized-dark solarized-light synthwave-84 tokyo-night vesper ' +
  'vitesse-black vitesse-dark vitesse-light';
export const codeThemeName = z
  .enum(codeThemes.split(' ') as [string, ...string[]])
  .meta({ id: 'CustomizationCodeTheme' });
export const codeTheme = z.object({ light: codeThemeName, dark: codeThemeName });

export const socialAccounts = z
  .array(
    z.object({
      platform: z.enum([
        ...([
          'twitter',
          'instagram',
          'facebook',
          'linkedin',
          'github',
          'discord',
          'slack',
          'youtube',
        ] as const),
        ...(['tiktok', 'reddit', 'bluesky', 'mastodon', 'threads', 'medium'] as const),
      ]),
      handle: text(1, 128),
      display: z.object({ footer: z.boolean(), header: z.boolean() }),
    }),
  )
  .max(10);
