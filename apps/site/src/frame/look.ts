import { createHash } from 'node:crypto';
import type { SiteCustomization } from '@bindery/contract';

/** The style sheet of a site's own colours, and the policy that permits it. */
export type Look = { style: string; policy: string };

const radius = { straight: '0', rounded: '.4rem', circular: '.9rem' } as const;

/**
 * The look of a site. Links keep the hue of the primary colour, and get a lightness that is readable on the
 * page: at least 4.5:1.
 */
export function lookOf(
  { styling, header, favicon }: SiteCustomization,
  { hasMath }: { hasMath: boolean },
): Look {
  const { light, dark } = styling.primaryColor;
  const style =
    `:root{--primary:light-dark(${light},${dark});` +
    `--link:light-dark(oklch(from ${light} min(l,.5) c h),oklch(from ${dark} max(l,.75) c h));` +
    `--radius:${radius[styling.corners]}}`;
  const pictures = [header.logo?.light, header.logo?.dark, ...iconsOf(favicon)].flatMap((url) => {
    const parsed = url === undefined ? null : URL.parse(url);
    return parsed ? [parsed.origin] : [];
  });
  return { style, policy: policyOf([style], { pictures, hasMath }) };
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
