import type { SiteCustomization } from '@bindery/contract';
import { LRUCache } from 'lru-cache';
import { inkOn, readableOn, shade } from './contrast.ts';

export type Mode = 'light' | 'dark';

/** The colours of a site in one mode as `#rrggbb`, by the names of the custom properties that have them. */
export type Palette = Readonly<Record<string, string>>;

const plain = {
  light: { page: '#ffffff', wash: '#f6f8fa', line: '#d0d7de', ink: '#1f2328', soft: '#57606a' },
  dark: { page: '#15181c', wash: '#1e2227', line: '#3a414a', ink: '#e6e8eb', soft: '#a4adb8' },
} as const;

/** Backgrounds and lines with a hint of the tint: light enough for dark text, and dark enough for light. */
const tinted = {
  light: { page: { l: 0.985, c: 0.01 }, wash: { l: 0.965, c: 0.02 }, line: { l: 0.87, c: 0.03 } },
  dark: { page: { l: 0.2, c: 0.02 }, wash: { l: 0.25, c: 0.03 }, line: { l: 0.37, c: 0.03 } },
} as const;

/**
 * The colours of a site in one mode. Text has a contrast of at least 4.5:1 on what it stands on:
 *
 * - `ink`, `soft`, `link`, `tint`, `info`, `success`, `warning`, `danger` on `page` and `wash`
 * - `on-primary` on `primary`, `on-notice` on `notice` (the announcement)
 * - `header-ink` and `header-link` on `header`
 */
export function paletteOf(customization: SiteCustomization, mode: Mode): Palette {
  const key = mode + colorSettingsOf(customization);
  const palette = known.get(key) ?? computePalette(customization, mode);
  known.set(key, palette);
  return palette;
}

/** Each page needs one for its card, and one takes up to 4 ms to compute. */
const known = new LRUCache<string, Palette>({ max: 1_000 });

/** All settings on which the colours of a site depend, as text. */
export function colorSettingsOf({ styling, header, announcement }: SiteCustomization): string {
  const { preset, backgroundColor, linkColor } = header;
  return JSON.stringify([styling, preset, backgroundColor, linkColor, announcement?.style]);
}

function computePalette(customization: SiteCustomization, mode: Mode): Palette {
  const { styling, announcement } = customization;
  const backgrounds = backgroundsOf(styling, mode);
  const readable = (color: string) => readableOn([backgrounds.page, backgrounds.wash], color);
  const primary = styling.primaryColor[mode];
  const semantic = {
    info: styling.infoColor[mode],
    success: styling.successColor[mode],
    warning: styling.warningColor[mode],
    danger: styling.dangerColor[mode],
  };
  const ink = readable(plain[mode].ink);
  const notice = announcement ? semantic[announcement.style] : primary;
  return {
    ...backgrounds,
    ink,
    soft: readable(plain[mode].soft),
    primary,
    'on-primary': inkOn([primary]),
    link: readable(primary),
    tint: readable(styling.tint?.color[mode] ?? ink),
    ...Object.fromEntries(Object.entries(semantic).map(([name, color]) => [name, readable(color)])),
    notice,
    'on-notice': inkOn([notice]),
    ...headerOf(customization, { mode, ...backgrounds, ink }),
  };
}

/** The page itself is tinted only when its background is to match the tint. */
function backgroundsOf(
  { tint, theme, primaryColor, background }: SiteCustomization['styling'],
  mode: Mode,
): Record<'page' | 'wash' | 'line', string> {
  const { page, wash, line } = plain[mode];
  // A gradient without a tint is one of the primary colour.
  const color = tint?.color[mode] ?? (theme === 'gradient' ? primaryColor[mode] : undefined);
  if (color === undefined) return { page, wash, line };
  const shades = tinted[mode];
  return {
    page: background === 'match' ? shade(color, shades.page) : page,
    wash: shade(color, shades.wash),
    line: shade(color, shades.line),
  };
}

function headerOf(
  { header, styling }: SiteCustomization,
  { mode, page, wash, ink }: { mode: Mode; page: string; wash: string; ink: string },
): Palette {
  const primary = styling.primaryColor[mode];
  const byTheme = { clean: page, muted: wash, bold: primary, gradient: wash };
  const grounds = {
    default: byTheme[styling.theme],
    bold: primary,
    contrast: ink,
    custom: header.backgroundColor?.[mode] ?? page,
    none: page,
  };
  const ground = grounds[header.preset];
  const isPlain = ground === page || ground === wash;
  const text = isPlain ? ink : inkOn([ground]);
  const ownLink = header.preset === 'custom' ? header.linkColor?.[mode] : undefined;
  const link = ownLink ?? (isPlain ? primary : text);
  return { header: ground, 'header-ink': text, 'header-link': readableOn([ground], link) };
}
