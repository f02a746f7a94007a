import { spawn } from 'node:child_process';
import { partsOfText } from '@bindery/translation';
import { environmentOf, findModes, routeOf } from '../../packages/engines/src/apertium/modes.ts';
import { streamOfParts } from '../../packages/engines/src/apertium/streamText.ts';

export type BareApertium = {
  /** Writes all texts at once. @returns the milliseconds until the last answer */
  translate(texts: readonly string[]): Promise<number>;
  stop(): Promise<void>;
};

/** Starts Apertium from English into Spanish, with nothing around its programs. */
export async function startBareApertium(): Promise<BareApertium> {
  const installation = { root: '/' };
  const [mode] = routeOf(await findModes(installation), { source: 'en', target: 'es' }) ?? [];
  if (!mode) throw new Error('Apertium is not installed.');
  const script = mode.pipeline.replaceAll('$1', '-g').replaceAll('$2', '');
  const child = spawn('/bin/sh', ['-c', script], {
    env: environmentOf(installation),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let onEnd: { mark: string; resolve: () => void } | undefined;
  let tail = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-1_000 - text.length);
    if (onEnd && tail.includes(onEnd.mark)) onEnd.resolve();
  });
  let number = 0;
  const translate: BareApertium['translate'] = async (texts) => {
    const streams = texts.map((text) => streamOfParts(partsOfText(text) ?? [], 'pairs'));
    const startMs = performance.now();
    const ended = new Promise<void>((resolve) => {
      onEnd = { mark: `[<q${number + texts.length}>]`, resolve };
    });
    child.stdin.write(streams.map((stream) => `${stream}.[<q${(number += 1)}>]\0`).join(''));
    await ended;
    return performance.now() - startMs;
  };
  await translate(['A house.']);
  return {
    translate,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.stdin.end();
      await ended;
    },
  };
}
