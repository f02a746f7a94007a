import { partsOfText, textOfParts, type Part } from '../text/parts.ts';

/** The name of the engine in jobs and statistics. Its texts are not translations. */
export const pseudoLocaleName = 'pseudo-locale';

const letters = 'aAcCdDeEgGhHiIjJkKlLnNoOrRsStTuUwWyYzZ';
const accents = 'áÁçÇďĎéÉğĞĥĤíÍĵĴķĶĺĹñÑóÓŕŔšŠťŤúÚŵŴýÝžŽ';

/**
 * Makes a text that looks foreign and can still be read: `⟦Ŕéáďíñğ···⟧`. It shows what a translation would
 * reach, and how much longer it would be; placeholders and numbers stay.
 *
 * @param text  as `textOfParts` writes it; a text of another form stays
 */
export function pseudoLocale(text: string): string {
  const parts = partsOfText(text);
  if (!parts) return text;
  const length = parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
  const longer: Part[] = ['⟦', ...parts.map(accentedPart), `${'·'.repeat(Math.ceil(length * 0.3))}⟧`];
  return textOfParts(longer);
}

function accentedPart(part: Part): Part {
  if (typeof part !== 'string') return part;
  return part.replaceAll(/[a-z]/gi, (letter) => accents[letters.indexOf(letter)] ?? letter);
}
