import { html, trusted, type Html } from '@bindery/html';
import type { Words } from '@bindery/render';
import type { PageLayout } from '@bindery/dialect/frontmatter';
import { assetPaths } from '../assets/assets.ts';
import { below } from '../page/sitePaths.ts';
import { writeFavicon } from './favicon.ts';
import type { Framed } from './framed.ts';
import { writeLogo } from './logo.ts';
import { writeSearchDialog } from './searchDialog.ts';
import { writeSocialTags } from './socialTags.ts';
import { styleNames } from './styleNames.ts';

/** Writes a whole page. */
export function writeFrame(page: Framed): string {
  const { title, siteTitle, customization, paths, navigation, outline, words } = page;
  const assets = assetPaths(paths.site);
  const { themes, header } = customization;
  return html`<!doctype html>
<html lang="${page.language}" dir="${page.direction ?? 'ltr'}" class="${styleNames(customization)}" data-theme="${themes.default}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === siteTitle ? title : `${title} - ${siteTitle}`}</title>
${page.description !== undefined && html`<meta name="description" content="${page.description}">`}
${writeSocialTags(page)}
${!page.isIndexed && html`<meta name="robots" content="noindex">`}
${page.canonical !== undefined && html`<link rel="canonical" href="${page.canonical}">`}
${page.markdown !== undefined && html`<link rel="alternate" type="text/markdown" href="${page.markdown}">`}
${page.feed !== undefined && html`<link rel="alternate" type="application/rss+xml" href="${page.feed}">`}
${writeFavicon(customization)}
${page.font !== undefined && html`<link rel="preload" href="${page.font}" as="font" type="font/woff2" crossorigin>`}
<link rel="stylesheet" href="${page.needsMath ? assets.mathStyle : assets.style}">
${trusted(`<style>${page.style}</style>`)}
<script src="${assets.script}"></script>
</head>
<body class="${layoutNames(page.layout)}" data-copy="${words.copy}" data-copied="${words.copied}" data-math-fonts="${page.needsMath && assets.mathFonts}">
<a class="skip" href="#~content">${words.skip}</a>
${page.preview !== undefined && html`<aside class="preview">${page.preview}</aside>`}
${page.announcement}
<header class="top">
${navigation !== undefined && html`<button type="button" class="menu-button" popovertarget="~menu" aria-label="${words.pages}">☰</button>`}
<a class="brand" href="${page.home ?? paths.site}">${writeLogo(header.logo)}${siteTitle}</a>
${page.headerLinks}
<form class="search" role="search" action="${below(paths.site, '~/search')}">
<input type="search" name="q" value="${page.query}" aria-label="${words.search}" placeholder="${words.search}" autocomplete="off" required>
<button>${words.search}</button>
</form>
</header>
${page.switchers}
${page.cover}
<div class="layout">
${navigation !== undefined && html`<nav id="~menu" class="tree" aria-label="${words.pages}" popover>${navigation}</nav>`}
<main id="~content" tabindex="-1">${page.main}</main>
${outline}
</div>
<footer class="bottom">
${page.footer}
${themes.toggeable && themeChoice(words)}
</footer>
${writeSearchDialog({ paths, words })}
${page.iconPaths}
${page.needsMath && html`<noscript><link rel="stylesheet" href="${assets.mathFonts}"></noscript>`}
</body>
</html>
`.toString();
}

/** The names by which the style sheet knows what is not shown, or shown wide. */
function layoutNames(layout: PageLayout = {}): string | false {
  const hidden = (['title', 'description', 'tableOfContents'] as const).filter(
    (part) => layout[part] === false,
  );
  const names = [...hidden.map((part) => `no-${part.toLowerCase()}`), layout.width === 'wide' && 'wide'];
  return names.filter(Boolean).join(' ') || false;
}

function themeChoice({ theme, system, light, dark }: Words): Html {
  return html`<fieldset class="theme" hidden><legend>${theme}</legend>
<label><input type="radio" name="theme" value="system"> ${system}</label>
<label><input type="radio" name="theme" value="light"> ${light}</label>
<label><input type="radio" name="theme" value="dark"> ${dark}</label>
</fieldset>`;
}
