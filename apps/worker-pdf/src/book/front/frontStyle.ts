import { plainFamilies } from '../sheets/sheetStyle.ts';

export const frontStyle = `
body { font: 10.5pt/1.5 ${plainFamilies}; color: #111; margin: 0 }
a { color: inherit; text-decoration: none }
.cover { page: plain; break-after: page; padding-top: 55mm; overflow-wrap: anywhere }
.cover img { display: block; max-width: 60mm; max-height: 30mm; margin-bottom: 18mm }
.cover h1 { font-size: 30pt; line-height: 1.2; margin: 0 0 6mm }
.cover p { margin: 0 0 2mm; color: #444 }
.cover .subject { font-size: 15pt; color: #111; margin-bottom: 8mm }
.front-part { break-after: page }
.front-part:last-child { break-after: auto }
.front-part h1 { font-size: 18pt; margin: 0 0 6mm }
.front-part h2 { font-size: 12pt; margin: 6mm 0 2mm; break-after: avoid }
.contents ol { list-style: none; margin: 0; padding: 0 }
.contents ol ol { padding-inline-start: 6mm }
.contents a, .contents .entry { display: flex; align-items: last baseline; gap: 2mm; margin: .6mm 0; break-inside: avoid }
.contents .title { overflow-wrap: anywhere }
.contents .group > .title { font-weight: 700 }
.contents .dots { flex: 1; border-bottom: 1px dotted #888; min-width: 6mm }
.list ul { margin: 0; padding-inline-start: 6mm }
.list .where { color: #555 }
.counts { border-collapse: collapse; margin-bottom: 4mm }
.counts th, .counts td { padding: .6mm 6mm .6mm 0; text-align: start }
.counts td { text-align: end }`;
