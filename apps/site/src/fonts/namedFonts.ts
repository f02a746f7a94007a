import type { SiteCustomization } from '@bindery/contract';

/** The names of fonts that a customization can choose. */
export type FontName = Extract<SiteCustomization['styling']['font' | 'monospaceFont'], string>;

export type FontKind = 'sans' | 'serif' | 'mono';

/** In units of `perEm`: the height above and below the baseline, the gap, and the average width of text. */
export type FontMetrics = {
  ascent: number;
  descent: number;
  gap: number;
  perEm: number;
  width: number;
};

/**
 * Where a font comes from: a package with its files, and the style sheets of it that a page needs. Serif
 * fonts have an italic of their own; browsers slant the others, which saves a file.
 */
export type NamedFont = { from: string; sheets: readonly string[]; kind: FontKind; metrics: FontMetrics };

const variable = ['index.css'];
const regularAndBold = ['400.css', '700.css'];
const withItalic = [...regularAndBold, '400-italic.css'];

type Figures = [ascent: number, descent: number, gap: number, perEm: number, width: number];

function fontOf(from: string, sheets: readonly string[], kind: FontKind, figures: Figures): NamedFont {
  const [ascent, descent, gap, perEm, width] = figures;
  return { from, sheets, kind, metrics: { ascent, descent, gap, perEm, width } };
}

const inter = fontOf('@fontsource-variable/inter', variable, 'sans', [1984, 494, 0, 2048, 978]);

/**
 * The fonts that a customization can choose, all free (SIL Open Font License, Ubuntu Font License). The
 * figures are those of `@capsizecss/metrics`. ABC Favorit is not free: Inter stands in for it.
 */
export const namedFonts: Readonly<Record<FontName, NamedFont>> = {
  ABCFavorit: inter,
  Inter: inter,
  Roboto: fontOf('@fontsource-variable/roboto', variable, 'sans', [1900, 500, 0, 2048, 911]),
  RobotoSlab: fontOf('@fontsource-variable/roboto-slab', variable, 'serif', [2146, 555, 0, 2048, 972]),
  OpenSans: fontOf('@fontsource-variable/open-sans', variable, 'sans', [2189, 600, 0, 2048, 960]),
  SourceSansPro: fontOf('@fontsource-variable/source-sans-3', variable, 'sans', [1024, 400, 0, 1000, 418]),
  Lato: fontOf('@fontsource/lato', regularAndBold, 'sans', [1974, 426, 0, 2000, 871]),
  Ubuntu: fontOf('@fontsource/ubuntu', regularAndBold, 'sans', [932, 189, 28, 1000, 455]),
  Raleway: fontOf('@fontsource-variable/raleway', variable, 'sans', [940, 234, 0, 1000, 463]),
  // Version 5.1: the files of later ones are three times as large, too much for a page of 100 kB.
  Merriweather: fontOf('@fontsource/merriweather', withItalic, 'serif', [1968, 546, 0, 2000, 970]),
  Overpass: fontOf('@fontsource-variable/overpass', variable, 'sans', [1766, 766, 0, 2000, 898]),
  NotoSans: fontOf('@fontsource-variable/noto-sans', variable, 'sans', [1069, 293, 0, 1000, 474]),
  IBMPlexSerif: fontOf('@fontsource/ibm-plex-serif', withItalic, 'serif', [1025, 275, 0, 1000, 473]),
  Poppins: fontOf('@fontsource/poppins', regularAndBold, 'sans', [1050, 350, 100, 1000, 500]),
  FiraSans: fontOf('@fontsource/fira-sans', regularAndBold, 'sans', [935, 265, 0, 1000, 458]),
  FiraCode: fontOf('@fontsource-variable/fira-code', variable, 'mono', [1980, 644, 0, 2000, 1200]),
  IBMPlexMono: fontOf('@fontsource/ibm-plex-mono', regularAndBold, 'mono', [1025, 275, 0, 1000, 600]),
  JetBrainsMono: fontOf('@fontsource-variable/jetbrains-mono', variable, 'mono', [1020, 300, 0, 1000, 600]),
  SourceCodePro: fontOf('@fontsource-variable/source-code-pro', variable, 'mono', [984, 273, 0, 1000, 600]),
  RobotoMono: fontOf('@fontsource-variable/roboto-mono', variable, 'mono', [2146, 555, 0, 2048, 1229]),
  SpaceMono: fontOf('@fontsource/space-mono', regularAndBold, 'mono', [1120, 361, 0, 1000, 612]),
  DMMono: fontOf('@fontsource/dm-mono', ['400.css', '500.css'], 'mono', [992, 310, 0, 1000, 600]),
  Inconsolata: fontOf('@fontsource-variable/inconsolata', variable, 'mono', [859, 190, 0, 1000, 500]),
};
