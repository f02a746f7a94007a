import type { Usage } from '../../options.ts';
import { Refusal } from '../../refusal.ts';
import { exportTranslation, exportUsage } from './exportTranslation.ts';
import { importTranslation, importUsage } from './importTranslation.ts';
import { runTranslation, runUsage } from './runTranslation.ts';
import { showStatus, statusUsage } from './showStatus.ts';

export const translationUsages: readonly Usage[] = [runUsage, statusUsage, exportUsage, importUsage];

const verbs = {
  run: runTranslation,
  status: showStatus,
  export: exportTranslation,
  import: importTranslation,
};

/** Runs translations, and exchanges their texts with other tools. @returns the exit code */
export async function translation(
  [verb = '', ...args]: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  if (!Object.hasOwn(verbs, verb))
    throw new Refusal('`bindery translation` needs one of run, status, export and import.', [
      'See `bindery translation --help`.',
    ]);
  return verbs[verb as keyof typeof verbs](args, environment);
}
