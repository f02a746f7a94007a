import { writeText } from '../syntax/text.ts';
import type { BookProperties } from '../messages.ts';

const creator = 'Bindery';

/** The document information dictionary. */
export function writeInfo({ title, author, date }: BookProperties): string {
  const time = `(D:${date.toISOString().replaceAll(/\D/g, '').slice(0, 14)}Z)`;
  return `<</Title ${writeText(title)}${author ? `/Author ${writeText(author)}` : ''}/Creator ${writeText(creator)}/Producer ${writeText(creator)}/CreationDate ${time}/ModDate ${time}>>`;
}

/** The same properties in XMP, with the declaration that the book follows PDF/UA-1. */
export function writeXmp({ title, author, language, date }: BookProperties): string {
  const time = date.toISOString().replace(/\.\d+Z$/, 'Z');
  const authors = author
    ? `<dc:creator><rdf:Seq><rdf:li>${escapeXml(author)}</rdf:li></rdf:Seq></dc:creator>`
    : '';
  return `<?xpacket begin="\u{feff}" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(title)}</rdf:li></rdf:Alt></dc:title>${authors}
<dc:language><rdf:Bag><rdf:li>${escapeXml(language)}</rdf:li></rdf:Bag></dc:language>
<xmp:CreateDate>${time}</xmp:CreateDate><xmp:ModifyDate>${time}</xmp:ModifyDate>
<xmp:CreatorTool>${creator}</xmp:CreatorTool><pdf:Producer>${creator}</pdf:Producer>
<pdfuaid:part>1</pdfuaid:part>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`;
}

function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // XML 1.0 has no way to write most control characters.
      // oxlint-disable-next-line no-control-regex -- they are what is removed
      .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, ' ')
      .replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
  );
}
