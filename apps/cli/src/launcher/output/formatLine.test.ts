import { describe, expect, it } from 'vitest';
import { formatLine } from './formatLine.ts';

describe('log lines at a terminal', () => {
  it.each([
    [
      '{"level":30,"time":"2026-01-02T03:04:05.678Z","app":"api","pid":1,"msg":"listening","port":3000}',
      '03:04:05 api listening port=3000',
    ],
    [
      '{"level":50,"time":"2026-01-02T03:04:05.678Z","msg":"failed","err":{"stack":"Error: no\\n    at x"}}',
      '03:04:05 api ERROR failed\nError: no\n    at x',
    ],
    ['plain text', 'api  plain text'],
    ['{"not a log', 'api  {"not a log'],
  ])('shows %s as a person reads it', (line, shown) => {
    expect(formatLine('api', line)).toBe(shown);
  });
});
