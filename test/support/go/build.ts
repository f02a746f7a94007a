import { provideSamlIdp } from './samlIdp.ts';
import { provideVersitygw } from './versitygw.ts';

// Builds the programs of the tests ahead of them: a build takes both processors of a machine for minutes, and
// tests that measure times fail beside it.

for (const provide of [provideVersitygw, provideSamlIdp]) {
  const { program, missing } = await provide();
  if (!missing) console.log(`A program of the tests: ${program}`);
}
