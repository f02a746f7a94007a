import { cacheFolder } from '../../../apps/cli/src/launcher/data-folder/folders.ts';
import { provideFonts } from '../../../apps/cli/src/services/pdf/fonts.ts';

/** Where the tests find the fonts of PDFs, or why there are none; downloaded as by `npm start`. */
export async function findTestFonts(): Promise<{ fontConfigFile?: string; missing?: string }> {
  const surroundings = {
    environment: process.env,
    machine: `${process.platform}-${process.arch}`,
    cacheFolder,
  };
  try {
    const say = (line: string) => console.log(line);
    return { fontConfigFile: await provideFonts({ surroundings, say }) };
  } catch (error) {
    const missing = (error as Error).message;
    console.warn(`Tests of the fonts of PDFs not run, and books printed with other fonts: ${missing}`);
    return { missing };
  }
}
