import type { FontKind, FontMetrics, NamedFont } from './namedFonts.ts';

/** A font that nearly all systems have, under the names that they give it, with its metrics. */
type SystemFont = { names: readonly string[]; metrics: FontMetrics };

const systemFonts: Readonly<Record<FontKind, SystemFont>> = {
  sans: {
    names: ['Arial', 'ArialMT', 'Liberation Sans', 'Arimo'],
    metrics: { ascent: 1854, descent: 434, gap: 67, perEm: 2048, width: 913 },
  },
  serif: {
    names: ['Times New Roman', 'TimesNewRomanPSMT', 'Liberation Serif', 'Tinos'],
    metrics: { ascent: 1825, descent: 443, gap: 87, perEm: 2048, width: 832 },
  },
  mono: {
    names: ['Menlo', 'DejaVu Sans Mono', 'Liberation Mono', 'Courier New', 'CourierNewPSMT', 'Cousine'],
    metrics: { ascent: 1705, descent: 615, gap: 0, perEm: 2048, width: 1229 },
  },
};

/**
 * A face that takes the place of a font until it is there: a font of the reader's system, made as wide and as
 * high as the font, so that nothing moves when that arrives.
 */
export function writeStandIn(family: string, { kind, metrics }: NamedFont): string {
  const system = systemFonts[kind];
  const scale = metrics.width / metrics.perEm / (system.metrics.width / system.metrics.perEm);
  const percent = (part: number) => `${((part / metrics.perEm / scale) * 100).toFixed(2)}%`;
  const sources = system.names.map((name) => `local("${name}")`).join(',');
  return (
    `@font-face{font-family:${family};src:${sources};size-adjust:${(scale * 100).toFixed(2)}%;` +
    `ascent-override:${percent(metrics.ascent)};descent-override:${percent(metrics.descent)};` +
    `line-gap-override:${percent(metrics.gap)}}`
  );
}
