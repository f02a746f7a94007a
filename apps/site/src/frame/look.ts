import { createHash } from 'node:crypto';
import type { SiteCustomization } from '@bindery/contract';
import type { Cover } from '../page/cover.ts';
import { paletteOf } from './palette.ts';

/** The style sheet of a site's own colours, and the policy that permits it. */
export type Look = { style: string; policy: string };

const radius = { straight: '0', rounded: '.4rem', circular: '.9rem' } as const;

/**
 * The look of a site. Its colours keep their hue, and get a lightness that is readable on what they stand on.
 */
export function lookOf(
  customization: SiteCustomization,
  { hasMath, cover }: { hasMath: boolean; cover?: Cover | undefined },
): Look {
  const { header, footer, favicon, styling } = customization;
  const light = paletteOf(customization, 'light');
  const dark = paletteOf(customization, 'dark');
  const colors = Object.entries(light).map(([name, color]) => `--${name}:${either(color, dark[name])};`);
  const style = `:root{${colors.join('')}--radius:${radius[styling.corners]}}${cover?.style ?? ''}`;
  const logos = [header.logo, footer.logo].flatMap((logo) => (logo ? [logo.light, logo.dark] : []));
  const pictures = [...logos, ...iconsOf(favicon), ...(cover?.pictures ?? [])].flatMap((url) => {
    const parsed = URL.parse(url);
    return parsed ? [parsed.origin] : [];
  });
  return { style, policy: policyOf([style], { pictures, hasMath }) };
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
