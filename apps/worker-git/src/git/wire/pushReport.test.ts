import { describe, expect, it } from 'vitest';

import { pktLine } from '@bindery/git-remote';
import { readPushReport } from './pushReport.ts';

const ref = 'refs/heads/main';

async function* chunks(text: string, size = 7): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size));
}

function report(...lines: string[]): string {
  return `${lines.map((line) => pktLine(line)).join('')}0000`;
}

const plain = (text: string) => readPushReport(chunks(text), { ref, hasBands: false });
const banded = (text: string) => readPushReport(chunks(text), { ref, hasBands: true });

describe('the report of a push', () => {
  it('is read plain, and from a side band between progress messages', async () => {
    const done = report('unpack ok\n', `ok ${ref}\n`);
    expect(await plain(done)).toBe('done');
    expect(await plain(report('unpack ok', `ok ${ref}`))).toBe('done');
    const pieces = [done.slice(0, 9), done.slice(9)].map((piece) => pktLine(`\u0001${piece}`));
    expect(await banded(`${pktLine('\u0002counting')}${pieces[0]}${pktLine('\u0002')}${pieces[1]}0000`)).toBe(
      'done',
    );
  });

  it('may be missing altogether', async () => {
    expect(await plain('')).toBe('unreported');
    expect(await banded('')).toBe('unreported');
    expect(await banded('0000')).toBe('unreported');
  });

  it.each([
    ['non-fast-forward', 'moved'],
    ['fetch first', 'moved'],
    ['stale info', 'moved'],
    ['failed to update ref', 'moved'],
    ['failed to lock', 'moved'],
    ['invalid old id sent', 'moved'],
    ['lock error', 'moved'],
    ['reference already exists', 'moved'],
    ['incorrect old value provided', 'moved'],
    ["cannot lock ref 'refs/heads/main': is at 1 but expected 2", 'moved'],
    ['failed to write', 'failed'],
    ['missing necessary objects', 'failed'],
    ['internal server error', 'failed'],
    ['pre-receive hook declined', 'declined'],
    ['protected branch hook declined', 'declined'],
    ['push declined due to repository rule violations', 'declined'],
    ['deletion prohibited', 'declined'],
    ['branch is currently checked out', 'declined'],
    [
      'TF402455: Pushes to this branch are not permitted; you must use a pull request to update this branch.',
      'declined',
    ],
    ['something that no server has said yet', 'declined'],
  ])('is classified by its reason: %s', async (reason, outcome) => {
    expect(await plain(report('unpack ok\n', `ng ${ref} ${reason}\n`))).toBe(outcome);
  });

  it('is not a success when the objects were refused, or for another branch', async () => {
    expect(await plain(report('unpack index-pack abnormal exit\n', `ng ${ref} unpacker error\n`))).toBe(
      'failed',
    );
    await expect(plain(report('unpack no\n', `ok ${ref}\n`))).rejects.toMatchObject({ code: 'bad_content' });
    await expect(plain(report('unpack ok\n', 'ok refs/heads/other\n'))).rejects.toMatchObject({
      code: 'bad_content',
    });
    await expect(plain(report('unpack ok\n'))).rejects.toMatchObject({ code: 'bad_content' });
  });

  it.each([
    ['cut in a line', report('unpack ok\n', `ok ${ref}\n`).slice(0, -8)],
    ['without its end', report('unpack ok\n', `ok ${ref}\n`).slice(0, -4)],
    ['with more behind it', `${report('unpack ok\n', `ok ${ref}\n`)}more`],
    ['of something else', '<html>'],
  ])('is rejected: %s', async (_, text) => {
    await expect(plain(text)).rejects.toMatchObject({ code: 'bad_content' });
    await expect(banded(pktLine(`\u0001${text}`))).rejects.toMatchObject({ code: 'bad_content' });
  });

  it('repeats no text of the server', async () => {
    for (const text of [pktLine('ERR canary'), report('unpack canary\n', 'canary\n')])
      await expect(plain(text)).rejects.not.toThrow('canary');
    await expect(banded(pktLine('\u0003canary'))).rejects.toMatchObject({
      code: 'http_status',
      message: expect.not.stringContaining('canary'),
    });
  });
});
