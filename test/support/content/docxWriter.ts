import { zipOf } from './zipWriter.ts';

/** A paragraph: with a style, a link to a bookmark or a URL, or an image. */
export type DocxParagraph = {
  text: string;
  style?: string;
  bookmark?: string;
  linkTo?: string;
  image?: true;
};

const namespaces =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"';
const header = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const styles = ['Title', 'heading 1', 'heading 2'];

/** Builds a Word document with only the parts that a converter reads. */
export function docxOf(
  paragraphs: readonly DocxParagraph[],
  { image, external }: { image?: Uint8Array; external?: string } = {},
): Buffer {
  const body = paragraphs.map(paragraphXml).join('');
  const relations = [
    '<Relationship Id="styles" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/>',
    ...(image
      ? [
          '<Relationship Id="image" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="media/image1.png"/>',
        ]
      : []),
    ...(external
      ? [
          `<Relationship Id="image" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="${external}" TargetMode="External"/>`,
        ]
      : []),
    '<Relationship Id="link" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="https://example.org/" TargetMode="External"/>',
  ];
  const relationships = (content: string) =>
    `${header}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${content}</Relationships>`;
  return zipOf({
    '[Content_Types].xml': `${header}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="png" ContentType="image/png"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': relationships(
      '<Relationship Id="d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>',
    ),
    'word/_rels/document.xml.rels': relationships(relations.join('')),
    'word/styles.xml': `${header}<w:styles ${namespaces}>${styles.map((name) => `<w:style w:type="paragraph" w:styleId="${name.replace(' ', '')}"><w:name w:val="${name}"/></w:style>`).join('')}</w:styles>`,
    'word/document.xml': `${header}<w:document ${namespaces}><w:body>${body}</w:body></w:document>`,
    ...(image && { 'word/media/image1.png': image }),
  });
}

function paragraphXml({ text, style, bookmark, linkTo, image }: DocxParagraph): string {
  const properties =
    style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style.replace(' ', '')}"/></w:pPr>`;
  const run = `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
  const mark =
    bookmark === undefined ? '' : `<w:bookmarkStart w:id="1" w:name="${bookmark}"/><w:bookmarkEnd w:id="1"/>`;
  const target = linkTo?.startsWith('#') ? `w:anchor="${linkTo.slice(1)}"` : 'r:id="link"';
  const content = linkTo === undefined ? run : `<w:hyperlink ${target}>${run}</w:hyperlink>`;
  const drawing =
    '<w:r><w:drawing><wp:inline><wp:docPr id="1" name="x" descr="A picture"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="image"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>';
  return `<w:p>${properties}${mark}${content}${image ? (drawing as string) : ''}</w:p>`;
}
