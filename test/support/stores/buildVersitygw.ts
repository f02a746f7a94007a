import { provideVersitygw } from './versitygw.ts';

// Builds the S3 server of the tests ahead of them: a build takes both processors of a machine for minutes,
// and tests that measure times fail beside it.

const { program, missing } = await provideVersitygw();
if (!missing) console.log(`The S3 server of the tests: ${program}`);
