import { provideGoProgram } from './goProgram.ts';

const version = 'v1.8.0';

/** Builds versitygw, an S3 server over a folder. */
export async function provideVersitygw(): ReturnType<typeof provideGoProgram> {
  const target = `github.com/versity/versitygw/cmd/versitygw@${version}`;
  return provideGoProgram({ name: 'versitygw', version, target });
}
