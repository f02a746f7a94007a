import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { SiteCustomization } from '@bindery/contract';
import { siteFontsOf } from '../fonts/siteFonts.ts';
import type { Cover } from '../page/cover.ts';
import { codeColorsOf } from './codeColors.ts';
import { colorSettingsOf, paletteOf, type Palette } from './palette.ts';

/**
 * The style sheet of a site's own colours and fonts, the policy that permits it, and the path of the font
 * that a page needs first.
 */
export type Look = { style: string; policy: string; font: string | undefined };

const radius = { straight: '0', rounded: '.4rem', circular: '.9rem' } as const;

/**
 * The look of a site. Its colours keep their hue, and get a lightness that is readable on what they stand on.
 *
 * @param site  the path of the site, below which its fonts are
 */
export async function lookOf(
  customization: SiteCustomization,
  { site, hasMath, cover }: { site: string; hasMath: boolean; cover?: Cover | undefined },
): Promise<Look> {
  const { styling, header, footer, favicon } = customization;
  const isPermitted = (url: string) => sourceOf(url).length > 0;
  const fonts = await siteFontsOf(styling, { site, isPermitted });
  const style = (await colorsOf(customization)) + fonts.style + (cover?.style ?? '');
  const logos = [header.logo, footer.logo].flatMap((logo) => (logo ? [logo.light, logo.dark] : []));
  const pictures = [...logos, ...iconsOf(favicon), ...(cover?.pictures ?? [])].flatMap(sourceOf);
  const policy = policyOf([style], { pictures, fonts: fonts.urls.flatMap(sourceOf), hasMath });
  return { style, policy, font: fonts.preload };
}

/** Style sheets of colours, by all settings that they depend on: one takes up to 12 ms to compute. */
const kept = new LRUCache<string, Promise<string>>({ max: 1_000 });

async function colorsOf(customization: SiteCustomization): Promise<string> {
  const key = colorSettingsOf(customization);
  const known = kept.get(key);
  if (known) return known;
  const made = writeColors(customization);
  kept.set(key, made);
  made.catch(() => kept.delete(key));
  return made;
}

async function writeColors(customization: SiteCustomization): Promise<string> {
  const { codeTheme, corners } = customization.styling;
  const light = paletteOf(customization, 'light');
  const dark = paletteOf(customization, 'dark');
  const { default: code, openapi } = codeTheme;
  const codeIn = async (theme: typeof code) =>
    properties(
      await codeColorsOf(theme.light, { mode: 'light', site: light }),
      await codeColorsOf(theme.dark, { mode: 'dark', site: dark }),
    );
  const isSame = code.light === openapi.light && code.dark === openapi.dark;
  const all = `:root{${properties(light, dark)}${await codeIn(code)}--radius:${radius[corners]}}`;
  return isSame ? all : `${all}.openapi{${await codeIn(openapi)}}`;
}

/** Declares colours as custom properties with the same names. */
function properties(light: Palette, dark: Palette): string {
  return Object.entries(light)
    .map(([name, color]) => `--${name}:${either(color, dark[name])};`)
    .join('');
}

function either(light: string, dark = light): string {
  return light === dark ? light : `light-dark(${light},${dark})`;
}

function iconsOf(favicon: SiteCustomization['favicon']): string[] {
  return 'icon' in favicon ? [favicon.icon.light, favicon.icon.dark] : [];
}

/**
 * The origin of a picture or a font, for a policy. Hosts of URLs may have `;` and `,`, which would begin
 * another directive or another policy: their pictures and fonts are not shown.
 */
function sourceOf(url: string): string[] {
  const parsed = URL.parse(url);
  return parsed && /^[\w.-]+(?::\d+)?$/.test(parsed.host) ? [parsed.origin] : [];
}

/**
 * The Content-Security-Policy of a page: only files of this site, and its own style sheets by their hashes.
 * Formulas have styles in attributes, which their library wrote, and fonts in their style sheet.
 */
export function policyOf(
  styles: readonly string[],
  {
    pictures = [],
    fonts = [],
    hasMath = false,
  }: { pictures?: readonly string[]; fonts?: readonly string[]; hasMath?: boolean } = {},
): string {
  const hashes = styles.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${hashes.join(' ')}`.trim(),
    ...(hasMath ? ["style-src-attr 'unsafe-inline'"] : []),
    `img-src 'self' data: ${[...new Set(pictures)].join(' ')}`.trim(),
    ['font-src', "'self'", ...(hasMath ? ['data:'] : []), ...new Set(fonts)].join(' '),
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}
