import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

const jar = createRequire(import.meta.url).resolve('vnu-jar/build/dist/vnu.jar');

/** The reason why HTML cannot be checked here; undefined when it can. */
export async function missingJava(): Promise<string | undefined> {
  return promisify(execFile)('java', ['-version']).then(
    () => undefined,
    () => 'java is not here (Debian: `apt-get install default-jre-headless`)',
  );
}

/** Checks the `.html` files of a folder with the validator of the W3C. @returns a line for each error */
export async function htmlErrorsIn(folder: string): Promise<string[]> {
  const args = [
    '-Xmx512m',
    '-Xss4m',
    '-XX:TieredStopAtLevel=1',
    '-jar',
    jar,
    '--skip-non-html',
    '--errors-only',
    folder,
  ];
  const { stderr } = await promisify(execFile)('java', args, { maxBuffer: 16 * 1024 * 1024 }).catch(
    // Errors in the files make it fail, and so does a jar that is broken.
    (error: unknown) => error as { stderr: string },
  );
  return stderr.split('\n').filter((line) => line !== '');
}
