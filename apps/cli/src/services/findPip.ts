import { findOnPath } from './probeBinary.ts';
import { runTool, type Tools } from './runTool.ts';

/** Finds the Python that has pip; run its path with `-m pip`. */
export async function findPip({
  surroundings,
  signal,
}: Pick<Tools, 'surroundings' | 'signal'>): Promise<string | undefined> {
  const python = await findOnPath('python3', surroundings.environment.PATH);
  if (!python) return undefined;
  return runTool(python, ['-m', 'pip', '--version'], { surroundings, signal }).then(
    () => python,
    () => undefined,
  );
}
