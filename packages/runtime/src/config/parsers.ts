import { z } from 'zod';

/**
 * Parses `"60"` as seconds, bytes or a number of things: whole numbers only, because `1e3`, `0x10` and `""`
 * are always mistakes in an environment.
 */
export const whole = (min: number, max: number, standard: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .default(standard);

export const flag = z.enum(['true', 'false'], 'must be true or false').transform((word) => word === 'true');

export const commaList = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  );

export function numbersIn(text: string): Record<string, number> {
  const items = text.split(',').filter(Boolean);
  return Object.fromEntries(
    items.map((item) => item.split('=')).map(([name, number]) => [name, Number(number)]),
  );
}
