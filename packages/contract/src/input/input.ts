import { z } from 'zod';
import { jsonLimits } from './jsonLimits.ts';
import { unknownField } from './messages.ts';

/**
 * Text of `min` to `max` characters that can be stored and shown again.
 *
 * Refuses NUL and lone surrogates, which zod accepts. Counts characters as JSON Schema does: an emoji of one
 * code point is one. Nothing is trimmed; text is stored as it was sent.
 */
export function text(min: number, max: number) {
  return storable(min, max).meta({ minLength: min, maxLength: max });
}

/**
 * A text that may be very long: its length counts in UTF-16 units, because counting the code points of some
 * ten megabytes takes as much memory again.
 */
export function longText(min: number, max: number) {
  return z
    .string()
    .superRefine((value, context) => {
      const isWithin = value.length >= min && value.length <= max;
      const problem = isWithin ? textProblem(value) : `must have ${min} to ${max} characters`;
      if (problem) context.addIssue({ code: 'custom', message: problem });
    })
    .meta({ minLength: min, maxLength: max });
}

/**
 * An id of any object. The document deliberately shows no pattern and no maximum length: a malformed id is
 * one that does not exist.
 */
export const Id = storable(1, 256).meta({ minLength: 1 });

/**
 * An http or https URL to store and show, unchanged: at most 2048 characters, no login, no white space, no
 * backslash. packages/outbound checks URLs that the platform fetches.
 */
export const WebUrl = z
  .string()
  .superRefine((value, context) => {
    const problem = webUrlProblem(value);
    if (problem) context.addIssue({ code: 'custom', message: problem });
  })
  .meta({ format: 'uri', maxLength: 2048, pattern: '^[hH][tT][tT][pP][sS]?://' });

/** Any JSON object within the limits of a whole request, whose text can be stored. */
export const JsonObject = z.record(z.string(), z.unknown()).superRefine((value, context) => {
  const problem = jsonProblem(value);
  if (problem) context.addIssue({ code: 'custom', message: problem });
});

/** A map with keys of the caller's choice. Refuses `__proto__`, which zod's own record drops silently. */
export function mapOf<K extends z.ZodType<string, string>, V extends z.ZodType>(key: K, value: V) {
  return z.preprocess(
    (given, context) => {
      if (typeof given === 'object' && given !== null && Object.hasOwn(given, '__proto__'))
        context.addIssue('the key __proto__ is not allowed');
      return given;
    },
    z.record(key, value),
  );
}

/**
 * Fields that change an object, where clients may send back the whole object as they read it: fields of
 * `shown` are accepted and ignored; every other unknown field is refused by name.
 */
export function changesOf<S extends z.ZodType>(
  schema: S,
  { known, shown }: { known: readonly string[]; shown: z.ZodObject },
) {
  return z.preprocess((given, context) => {
    for (const field of typeof given === 'object' && given !== null && !Array.isArray(given)
      ? Object.keys(given)
      : [])
      if (!known.includes(field) && !Object.hasOwn(shown.shape, field))
        context.addIssue({ code: 'custom', path: [field], message: unknownField(field, known) });
    return given;
  }, schema);
}

/** A query parameter that is the word `true` or `false`: `fromWord(z.boolean().default(true))`. */
export function fromWord<S extends z.ZodType>(schema: S) {
  return z.preprocess((value, context) => {
    if (value === 'true') return true;
    if (value === 'false') return false;
    if (value !== undefined) context.addIssue('must be true or false');
    return undefined;
  }, schema);
}

/** A query parameter that is a whole number in digits: `fromDigits(z.int().min(0).default(50))`. */
export function fromDigits<S extends z.ZodType>(schema: S) {
  return z.preprocess((value, context) => {
    if (typeof value === 'string' && /^(0|-?[1-9]\d{0,14})$/.test(value)) return Number(value);
    if (value !== undefined) context.addIssue('must be one whole number in digits');
    return undefined;
  }, schema);
}

/**
 * A query parameter that may occur once or several times: `fromRepeated(z.array(Id).max(50).optional())`.
 * `name[]` is read as `name`.
 */
export function fromRepeated<S extends z.ZodType>(schema: S) {
  return z.preprocess((value) => (typeof value === 'string' ? [value] : value), schema);
}

/** The query parameters of every list. `page` is the `next.page` of the previous response. */
export const ListQuery = z.object({
  page: text(1, 4096)
    .optional()
    .describe('Page of results to fetch: the `next.page` of the previous answer.'),
  limit: fromDigits(z.int().min(0).max(1000).default(50)).describe('Maximum number of items in one answer.'),
});

/** The query parameters for reading content. */
export const ContentQuery = z.object({
  metadata: fromWord(z.boolean().default(true)).describe(
    'false omits `git` of revisions, pages, files and reusable contents.',
  ),
  computed: fromWord(z.boolean().default(true)).describe(
    'false leaves computed pages and documents unresolved.',
  ),
});

function storable(min: number, max: number) {
  return z.string().superRefine((value, context) => {
    const problem = textProblem(value) ?? lengthProblem(value, min, max);
    if (problem) context.addIssue({ code: 'custom', message: problem });
  });
}

function textProblem(value: string): string | undefined {
  if (value.includes('\0')) return 'must not contain the character NUL';
  if (!value.isWellFormed()) return 'must not contain half of a surrogate pair';
  return undefined;
}

function lengthProblem(value: string, min: number, max: number): string | undefined {
  // Most text is far from both limits: count code points only where the number of UTF-16 units is
  // inconclusive.
  if (value.length >= 2 * min && value.length <= max) return undefined;
  const length = value.length > 2 * max ? value.length : [...value].length;
  if (length >= min && length <= max) return undefined;
  return min === 0 ? `must have at most ${max} characters` : `must have ${min} to ${max} characters`;
}

function webUrlProblem(value: string): string | undefined {
  const problem = textProblem(value) ?? lengthProblem(value, 1, 2048);
  if (problem) return problem;
  // A URL parser drops or replaces these silently; then the stored URL would differ from the checked one.
  if (/[\s\\]|\p{Cc}/u.test(value)) return 'must not contain white space, control characters or backslashes';
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value))
    return 'must be a URL that begins with http:// or https://';
  const url = new URL(value);
  return url.username || url.password ? 'must not contain a login' : undefined;
}

/** Says why a JSON value cannot be stored: its size, or a text in it. Does not recurse. */
export function jsonProblem(
  root: unknown,
  limits: { depth: number; nodes: number } = jsonLimits,
): string | undefined {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 1 }];
  let nodes = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    nodes += 1;
    if (nodes > limits.nodes) return `must have at most ${limits.nodes} values`;
    const { value, depth } = next;
    if (typeof value === 'string') {
      const problem = textProblem(value);
      if (problem) return problem;
    }
    if (typeof value !== 'object' || value === null) continue;
    if (depth > limits.depth) return `must be nested at most ${limits.depth} deep`;
    for (const [key, child] of Object.entries(value)) {
      const problem = textProblem(key);
      if (problem) return problem;
      open.push({ value: child, depth: depth + 1 });
    }
  }
  return undefined;
}
