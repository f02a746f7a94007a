import { describe, expect, it } from 'vitest';
import { helpText, parseOptions, parseWhole, type Usage } from './options.ts';
import { summaries } from './summaries.ts';

const usage = {
  command: 'up',
  options: { port: { value: 'N', help: 'Port.' }, 'no-demo': { help: 'No demo.' } },
} satisfies Usage;

describe('options of a command', () => {
  it.each([
    [['--port', '3000', '--no-demo'], { port: '3000', 'no-demo': true }],
    [['--port=0'], { port: '0' }],
    [[], {}],
  ])('parses %j', (args, values) => {
    expect(parseOptions(usage, args).values).toEqual(values);
  });

  it.each([
    [['--prot', '3000'], '--prot is not an option of `bindery up`. Did you mean --port?'],
    [['--demo'], '--demo is not an option of `bindery up`.'],
    [['-p'], '-p is not an option of `bindery up`. Did you mean --port?'],
    [['--port'], '--port needs a value: --port N.'],
    [['--port', '--no-demo'], '--port needs a value: --port N.'],
    [['--port='], '--port needs a value: --port N.'],
    [['--no-demo=yes'], '--no-demo takes no value.'],
    [['now'], '`bindery up` takes no "now".'],
  ])('refuses %j and suggests a fix', (args, message) => {
    expect(() => parseOptions(usage, args)).toThrow(
      expect.objectContaining({ message, fixes: ['See `bindery up --help`.'] }),
    );
  });

  it('accepts the letter of an option', () => {
    const withLetter = { ...usage, options: { output: { value: 'FILE', short: 'o', help: 'File.' } } };
    expect(parseOptions(withLetter, ['-o', 'a.pdf']).values).toEqual({ output: 'a.pdf' });
    expect(() => parseOptions(withLetter, ['-o'])).toThrow('-o needs a value: -o FILE.');
    expect(helpText(withLetter)).toContain('  -o, --output FILE  ');
  });

  it('lists every option in the help', () => {
    expect(helpText(usage)).toBe(
      [
        'bindery up [options]',
        '',
        summaries.up,
        '',
        '  --port N                       Port.',
        '  --no-demo                      No demo.',
        '  --help                         Show this.',
      ].join('\n'),
    );
  });

  it.each(['', '-1', '1.5', '0x10', '65536', 'many'])('refuses "%s" as a port', (text) => {
    expect(() => parseWhole('--port', text, [0, 65_535])).toThrow(
      `--port must be a whole number from 0 to 65535, not "${text}".`,
    );
  });
});
