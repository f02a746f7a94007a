import { cacheFolder } from '../../../apps/cli/src/launcher/data-folder/folders.ts';
import { provideChromium } from '../../../apps/cli/src/services/pdf/chromium.ts';

/** Where the tests find Chromium, or why there is none; installed as by `npm start`. */
export async function findTestChromium(): Promise<{ executable: string; missing?: string }> {
  const surroundings = {
    environment: process.env,
    machine: `${process.platform}-${process.arch}`,
    cacheFolder,
  };
  try {
    const say = (line: string) => console.log(line);
    return { executable: (await provideChromium({ surroundings, say })).path };
  } catch (error) {
    const missing = (error as Error).message;
    console.warn(`Tests with Chromium not run: ${missing}`);
    return { executable: '', missing };
  }
}
