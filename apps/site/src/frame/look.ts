import { createHash } from 'node:crypto';
import type { SiteCustomization } from '@bindery/contract';
import type { Cover } from '../page/cover.ts';
import { codeColorsOf } from './codeColors.ts';
import { paletteOf, type Palette } from './palette.ts';

/** The style sheet of a site's own colours, and the policy that permits it. */
export type Look = { style: string; policy: string };

const radius = { straight: '0', rounded: '.4rem', circular: '.9rem' } as const;

/**
 * The look of a site. Its colours keep their hue, and get a lightness that is readable on what they stand on.
 */
export async function lookOf(
  customization: SiteCustomization,
  { hasMath, cover }: { hasMath: boolean; cover?: Cover | undefined },
): Promise<Look> {
  const { header, footer, favicon, styling } = customization;
  const light = paletteOf(customization, 'light');
  const dark = paletteOf(customization, 'dark');
  const { default: code, openapi } = styling.codeTheme;
  const codeIn = async (theme: typeof code) =>
    properties(
      await codeColorsOf(theme.light, { mode: 'light', site: light }),
      await codeColorsOf(theme.dark, { mode: 'dark', site: dark }),
    );
  const isSame = code.light === openapi.light && code.dark === openapi.dark;
  const style = [
    `:root{${properties(light, dark)}${await codeIn(code)}--radius:${radius[styling.corners]}}`,
    isSame ? '' : `.openapi{${await codeIn(openapi)}}`,
    cover?.style ?? '',
  ].join('');
  const logos = [header.logo, footer.logo].flatMap((logo) => (logo ? [logo.light, logo.dark] : []));
  const pictures = [...logos, ...iconsOf(favicon), ...(cover?.pictures ?? [])].flatMap((url) => {
    const parsed = URL.parse(url);
    return parsed ? [parsed.origin] : [];
  });
  return { style, policy: policyOf([style], { pictures, hasMath }) };
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
 * The Content-Security-Policy of a page: only files of this site, and its own style sheets by their hashes.
 * Formulas have styles in attributes, which their library wrote, and fonts in their style sheet.
 */
export function policyOf(
  styles: readonly string[],
  { pictures = [], hasMath = false }: { pictures?: readonly string[]; hasMath?: boolean } = {},
): string {
  const hashes = styles.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${hashes.join(' ')}`.trim(),
    ...(hasMath ? ["style-src-attr 'unsafe-inline'"] : []),
    `img-src 'self' data: ${[...new Set(pictures)].join(' ')}`.trim(),
    `font-src 'self'${hasMath ? ' data:' : ''}`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}
