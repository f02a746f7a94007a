/**
 * The class of each colour of the theme. Classes make a third of the HTML of inline styles, and the style
 * sheet can choose other colours.
 */
export const tokenClasses: ReadonlyMap<string, string> = new Map([
  ['#6e7781', 't-comment'],
  ['#cf222e', 't-keyword'],
  ['#0550ae', 't-constant'],
  ['#0a3069', 't-string'],
  ['#116329', 't-tag'],
  ['#8250df', 't-function'],
  ['#953800', 't-variable'],
  ['#82071e', 't-deleted'],
]);

/** Name of the theme, whose other colours are that of plain text. */
export const themeName = 'github-light-default';
