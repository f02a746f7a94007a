// Adds the fonts of formulas once a page is there, so that they do not hold up the font of its text.
addEventListener('load', () => {
  const { mathFonts } = document.body.dataset;
  if (!mathFonts) return;
  const sheet = document.createElement('link');
  Object.assign(sheet, { rel: 'stylesheet', href: mathFonts });
  document.head.append(sheet);
});
