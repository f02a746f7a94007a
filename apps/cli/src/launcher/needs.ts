import { messageOf, type Config } from '@bindery/runtime';
import { findApertium, provideApertium } from '../services/apertium.ts';
import { findChromium, provideChromium } from '../services/pdf/chromium.ts';
import { findFonts, provideFonts } from '../services/pdf/fonts.ts';
import type { Tools } from '../services/runTool.ts';
import type { Need } from './startProvidedWorker.ts';

/** The needs of workers that do not start on every machine, by app. */
export function needsOf({ translation }: Pick<Config, 'translation'>): ReadonlyMap<string, Need> {
  return new Map([
    ['worker-pdf', pdfNeed],
    ...(translation.engines.includes('apertium')
      ? [['worker-translation', apertiumNeed(translation)] as const]
      : []),
  ]);
}

const pdfNeed: Need = {
  work: 'PDF',
  async find(tools) {
    const [chromium, fonts] = await Promise.all([
      findChromium(tools).catch(() => undefined),
      fontsOf(tools, findFonts),
    ]);
    return chromium && fonts ? { CHROME_PATH: chromium.path, BINDERY_PDF_FONTS: fonts } : undefined;
  },
  async provide(tools) {
    // One after the other: the network is the limit.
    const chromium = await provideChromium(tools);
    const fonts = await fontsOf(tools, provideFonts);
    tools.say(`PDF: Chromium ${chromium.version.join('.')}, ${chromium.found} (${chromium.path})`);
    return { CHROME_PATH: chromium.path, BINDERY_PDF_FONTS: fonts };
  },
  reasons: {
    installing: 'Chromium or fonts are being downloaded',
    missing: 'Chromium or fonts could not be downloaded; `bindery doctor` says what is missing',
  },
};

async function fontsOf<T>(tools: Tools, look: (tools: Tools) => Promise<T>): Promise<T | string> {
  return tools.surroundings.environment.BINDERY_PDF_FONTS || look(tools);
}

/** Without Apertium, a worker that has other engines starts with those. */
function apertiumNeed({ apertiumRoot: root, engines }: Config['translation']): Need {
  return {
    work: 'Translation',
    find: async () => ((await findApertium(root)).length > 0 ? {} : undefined),
    async provide(tools) {
      try {
        const pairs = await provideApertium(root, tools);
        tools.say(`Translation: Apertium with ${pairs.join(', ')}`);
      } catch (error) {
        if (engines.length === 1) throw error;
        tools.say(`Translation: ${messageOf(error)}\nTranslation: its other engines work without it.`);
      }
      return {};
    },
    reasons: {
      installing: 'Apertium is being installed',
      missing: 'Apertium is not installed; `bindery doctor` says how to install it',
    },
  };
}
