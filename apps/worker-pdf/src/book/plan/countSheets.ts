/** Chromium writes the dictionaries of pages as plain text, and compresses everything that authors write. */
const page = Buffer.from('/Type /Page');
const s = 's'.charCodeAt(0);

/**
 * Counts the sheets of a PDF that Chromium printed, without parsing it: the number of the next sheet must be
 * known before the merge has come so far. The merge checks the count.
 */
export function countSheets(pdf: Uint8Array): number {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  let count = 0;
  for (let at = bytes.indexOf(page); at !== -1; at = bytes.indexOf(page, at + page.length))
    if (bytes[at + page.length] !== s) count += 1;
  return count;
}
