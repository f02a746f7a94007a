import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBookWriter, dropPreparedWriter, prepareBookWriter } from '@bindery/pdf';
import { newId } from '@bindery/runtime/ids';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { endOfRestedThread } from '../support/processes/endOfRestedThread.ts';

// Another file may have left one in this process.
beforeEach(dropPreparedWriter);
afterEach(dropPreparedWriter);

it('ends the idle thread of the next book after minutes, and starts another one for the next book', async () => {
  await endOfRestedThread(prepareBookWriter);
  const writer = createBookWriter({
    path: join(tmpdir(), `bindery-${newId()}.pdf`),
    properties: { title: 'Book', author: 'Ann', language: 'en', date: new Date(0), seed: 'a seed' },
  });
  await expect(writer.addChunk(Buffer.from('no PDF'), { headings: [] })).rejects.toMatchObject({
    code: 'bad_content',
  });
  await writer.abort();
});
