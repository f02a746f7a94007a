/**
 * Objects of a PDF by their number; their characters are bytes. A stream is its dictionary and its data; the
 * length is added.
 */
export type HandmadeObjects = Record<number, string | { dict: string; data: string | Uint8Array }>;

/**
 * The objects of a chunk with one sheet: a heading, and a link to it. Their layout is Chromium's. Tests
 * replace some of them.
 */
export const plainObjects = {
  1: '<</Type /Catalog /Pages 2 0 R /Outlines 7 0 R /StructTreeRoot 9 0 R /Dests <</one [3 0 R /XYZ 5 6 0]>>>>',
  2: '<</Type /Pages /Count 1 /Kids [3 0 R]>>',
  3: '<</Type /Page /Resources <</Font <</F1 5 0 R>>>> /MediaBox [0 0 595 842] /Annots [6 0 R] /Contents 4 0 R /StructParents 0 /Parent 2 0 R>>',
  4: { dict: '', data: '/H1 <</MCID 0>>BDC BT /F1 9 Tf (a) Tj ET EMC' },
  5: '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>',
  6: '<</Type /Annot /Subtype /Link /F 4 /Rect [1 2 3 4] /Dest /one /StructParent 1>>',
  7: '<</Count 1 /First 8 0 R /Last 8 0 R>>',
  8: '<</Title (a) /Parent 7 0 R /Dest [3 0 R /XYZ 5 6 0] /SE 11 0 R>>',
  9: '<</Type /StructTreeRoot /K 10 0 R>>',
  10: '<</Type /StructElem /S /Document /P 9 0 R /K [11 0 R 12 0 R]>>',
  11: '<</Type /StructElem /S /H1 /P 10 0 R /Pg 3 0 R /K 0>>',
  12: '<</Type /StructElem /S /Link /P 10 0 R /K <</Type /OBJR /Obj 6 0 R /Pg 3 0 R>>>>',
} satisfies HandmadeObjects;

/** Writes a PDF as Chromium does: version 1.4, one classic cross-reference table. */
export function handmadePdf(objects: HandmadeObjects, trailer = '/Root 1 0 R'): Uint8Array {
  const numbers = Object.keys(objects).map(Number);
  const size = Math.max(...numbers) + 1;
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets = new Map<number, number>();
  let at = parts[0]!.length;
  const append = (data: string | Uint8Array) => {
    const part = typeof data === 'string' ? Buffer.from(data, 'latin1') : Buffer.from(data);
    parts.push(part);
    at += part.length;
  };
  for (const number of numbers) {
    offsets.set(number, at);
    const object = objects[number]!;
    append(`${number} 0 obj\n`);
    if (typeof object === 'string') append(`${object}\nendobj\n`);
    else {
      const length = /\/Length /.test(object.dict) ? '' : ` /Length ${object.data.length}`;
      append(`<<${object.dict}${length}>> stream\n`);
      append(object.data);
      append('\nendstream\nendobj\n');
    }
  }
  const table = at;
  append(`xref\n0 ${size}\n0000000000 65535 f \n`);
  for (let number = 1; number < size; number += 1) {
    const offset = offsets.get(number);
    append(`${String(offset ?? 0).padStart(10, '0')} ${offset === undefined ? '65535 f' : '00000 n'} \n`);
  }
  append(`trailer\n<</Size ${size} ${trailer}>>\nstartxref\n${table}\n%%EOF\n`);
  return new Uint8Array(Buffer.concat(parts));
}

/** The objects of a PDF that Chromium wrote, streams with their data. */
export function objectsOf(pdf: Uint8Array): Record<number, string> {
  const text = Buffer.from(pdf).toString('latin1');
  const objects = text.matchAll(/(?<=\n)(\d+) 0 obj\n([^]*?)\nendobj\n/g);
  return Object.fromEntries(objects.map(([, number, object]) => [number!, object!]));
}
