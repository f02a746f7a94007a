import { expect, it } from 'vitest';
import { unitsOfFile } from './unitsOfFile.ts';

it('reads a file of many batches without a warning', { timeout: 60_000 }, async () => {
  const warnings: string[] = [];
  const listen = ({ message }: Error) => warnings.push(message);
  process.on('warning', listen);
  const unit = '<trans-unit id="a"><source>A</source></trans-unit>';
  const bytes = new TextEncoder().encode(
    `<xliff version="1.2"><file><body>${unit.repeat(7_000)}</body></file></xliff>`,
  );
  let count = 0;
  const pair = { source: 'en', target: 'es' };
  for await (const units of unitsOfFile({ bytes, format: 'xliff', pair, organization: 'o', terms: [] }))
    count += units.length;
  process.off('warning', listen);
  expect([count, warnings]).toEqual([7_000, []]);
});
