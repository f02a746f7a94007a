import { resolve } from 'node:path';
import { surroundings } from '../launcher/startStores.ts';
import { parseOptions, type Usage } from '../options.ts';
import { Refusal } from '../refusal.ts';
import { installFonts } from '../services/pdf/fonts.ts';

export const fontsUsage = {
  command: 'fonts',
  options: {
    to: {
      value: 'DIR',
      help: 'New folder; BINDERY_PDF_FONTS is then DIR/fonts.conf, BINDERY_SITE_FONTS DIR.',
    },
  },
} satisfies Usage;

export async function fonts(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values } = parseOptions(fontsUsage, args);
  if (values.to === undefined)
    throw new Refusal('There is no folder to put the fonts in.', ['Name one: `--to DIR`.']);
  await installFonts(resolve(values.to), {
    surroundings: surroundings(environment),
    say: (line) => console.log(line),
  });
  return 0;
}
