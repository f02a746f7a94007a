import { describe, expect, it } from 'vitest';
import { isConditionMet } from './isConditionMet.ts';
import { conditionLimits, conditionProblem } from './parseCondition.ts';

describe('the text of a condition', () => {
  it.each([
    'visitor.claims.beta',
    'visitor.claims.beta == true',
    '!visitor.claims.beta',
    'visitor.claims.unsigned.lang === "js"',
    `visitor.claims.unsigned.product !== 'A' && visitor.claims.unsigned.product !== "B"`,
    'visitor.claims["my-claim"] == "a;b,c"',
    'visitor . claims [ "a" ] . b >= -1.5e3',
    '"admin" in visitor.claims.roles',
    '"beta" in visitor.claims',
    'visitor.claims.plan in ["free", \'pro\', 1, -2, .5, 1e-3, true, null]',
    'visitor.claims.plan in []',
    '(visitor.claims.a || visitor.claims.b) && !(visitor.claims.c)',
    'visitor.claims.größe > 3',
    'visitor.claims.x != null',
    'visitor.claims.constructor == true',
    '\n\tvisitor.claims.a\n  && visitor.claims.b\r\n',
    'true',
    '("a" in visitor.claims)',
    '"it\\"s; [1 2]" == visitor.claims.a',
  ])('may be %j', (text) => {
    expect(conditionProblem(text)).toBeUndefined();
  });

  it.each([
    ['', /1 to 1024/],
    ['x'.repeat(1025), /1 to 1024/],
    ['   ', /expression/],
    ['visitor.claims.', /Unexpected/],
    ['a b', /one expression/],
    [')', /Unexpected/],
    ['(', /Unclosed|Unexpected|cannot/],
    ['()', /./],
    ['visitor', /nothing but visitor\.claims/],
    ['visitor.claims', /name a claim/],
    ['!visitor.claims', /name a claim/],
    ['visitor.claims == true', /name a claim/],
    ['visitor.claims in visitor.claims.x', /name a claim/],
    ['visitor.constructor', /nothing but visitor\.claims/],
    ['visitor.constructor.constructor("return 1")()', /calls/],
    ['visitor["constructor"]["constructor"]("x")', /calls/],
    ['process.exit()', /calls/],
    ['process.env', /nothing but/],
    ['this', /`this`/],
    ['this.x', /nothing but/],
    ['globalThis', /nothing but/],
    ['undefined', /nothing but/],
    ['new Date()', /one expression/],
    ['`x`', /Unexpected/],
    ['`${visitor.claims.a}`', /Unexpected/],
    ['/x/', /Unexpected/],
    ['/x/.test(visitor.claims.a)', /Unexpected/],
    ['visitor.claims.a = 1', /Unexpected/],
    ['visitor.claims.a += 1', /Unexpected/],
    ['visitor.claims.a++', /Unexpected/],
    ['visitor.claims.a;', /semicolons/],
    ['true; true', /semicolons/],
    [';true', /semicolons/],
    ['(true;)', /semicolons/],
    ['true, true', /commas/],
    ['(true,)', /commas/],
    ['x => x', /Unexpected/],
    ['() => 1', /./],
    ['await visitor.claims.a', /one expression/],
    ['import("x")', /calls/],
    ['visitor.claims.a.includes("b")', /"a" in x/],
    ['visitor.claims.a?.b', /\?\./],
    ['visitor.claims.a ? true : false', /\? and :/],
    ['visitor.claims.a ?? true', /Expected/],
    ['visitor.claims.a + 1 > 2', /Unexpected/],
    ['~visitor.claims.a', /Unexpected/],
    ['+visitor.claims.a', /Unexpected/],
    ['-visitor.claims.a', /./],
    ['-"a" == 1', /minus/],
    ['visitor.claims[0]', /name a claim/],
    ['visitor.claims[visitor.claims.a]', /name a claim/],
    ['visitor.claims.a\u00a0== true', /name a claim/],
    ['visitor.claims.a\u2028', /name a claim/],
    ['{}', /Unexpected/],
    ['{"a": 1}', /Unexpected/],
    ['[1]', /only after/],
    ['[1] == visitor.claims.a', /only after/],
    ['visitor.claims.a in [1 2]', /between the commas/],
    ['visitor.claims.a in ["a" "b"]', /between the commas/],
    ['visitor.claims.a in [1,,2]', /between the commas/],
    ['visitor.claims.a in [,]', /between the commas/],
    ['visitor.claims.a in [1,]', /between the commas/],
    ['visitor.claims.a in [1 2,,3]', /between the commas/],
    ['visitor.claims.a in [[1]]', /./],
    ['visitor.claims.a in [visitor.claims.b]', /./],
    [`visitor.claims.a in [${'1,'.repeat(32)}1]`, /32 values/],
    ['visitor.claims.a > 1e999', /too large/],
    ['"open', /Unclosed/],
    ['1x == 1', /./],
    ['...visitor.claims.a', /./],
    ['visitor.claims.#a', /./],
    ['delete visitor.claims.a', /one expression/],
    ['typeof visitor.claims.a', /one expression/],
    ['visitor.claims.a instanceof Object', /one expression/],
    ['// comment', /Unexpected/],
    ['visitor.claims.a /* or */', /Unexpected/],
    ['true\0', /./],
    ['('.repeat(512) + ')'.repeat(512), /./],
    ['!'.repeat(1000) + 'true', /200 parts/],
    [Array.from({ length: 101 }, () => '1==1').join('||'), /200 parts/],
  ])('may not be %j', (text, problem) => {
    expect(conditionProblem(text)).toMatch(problem);
    expect(conditionProblem(text)).toMatch(/^must /);
    expect(isConditionMet(text, { a: true })).toBe(false);
  });

  it('may reach the limits of length and size', () => {
    expect(conditionProblem('"'.padEnd(conditionLimits.length - 1, 'x') + '"')).toBeUndefined();
    expect(conditionProblem('('.repeat(510) + 'true' + ')'.repeat(510))).toBeUndefined();
    expect(isConditionMet('('.repeat(510) + 'true' + ')'.repeat(510), {})).toBe(true);
    expect(conditionProblem('!'.repeat(198) + 'true')).toBeUndefined();
    expect(
      conditionProblem(`visitor.claims.a in [${Array.from({ length: 32 }, () => '1').join(', ')}]`),
    ).toBeUndefined();
  });
});

describe('a condition', () => {
  const claims = {
    beta: true,
    old: false,
    plan: 'pro',
    seats: 12,
    roles: ['admin', 'writer'],
    company: { size: 40, region: { code: 'eu' } },
    nothing: null,
    unsigned: { lang: 'js' },
    'my-claim': 'x',
  };

  it.each([
    'visitor.claims.beta',
    'visitor.claims.beta == true',
    '!visitor.claims.old',
    'visitor.claims.plan == "pro"',
    '"pro" === visitor.claims.plan',
    'visitor.claims.plan != "free"',
    'visitor.claims.seats > 10 && visitor.claims.seats <= 12',
    'visitor.claims.plan < "q"',
    'visitor.claims.company.region.code == "eu"',
    'visitor.claims["company"]["size"] >= 40',
    'visitor.claims["my-claim"] == "x"',
    'visitor.claims.unsigned.lang == "js"',
    '"admin" in visitor.claims.roles',
    '!("reader" in visitor.claims.roles)',
    'visitor.claims.plan in ["free", "pro"]',
    '"size" in visitor.claims.company',
    '"beta" in visitor.claims',
    '!("absent" in visitor.claims)',
    'visitor.claims.plan != null',
    'visitor.claims.nothing == null',
    'visitor.claims.absent || visitor.claims.beta',
    'visitor.claims.beta || visitor.claims.absent',
    '!(visitor.claims.absent && visitor.claims.old)',
    'visitor.claims.old || visitor.claims.old == false && visitor.claims.beta',
    'visitor.claims.beta == !visitor.claims.old',
  ])('is met: %s', (text) => {
    expect(isConditionMet(text, claims)).toBe(true);
  });

  it.each([
    'visitor.claims.old',
    'visitor.claims.plan == "free"',
    'visitor.claims.beta && visitor.claims.old',
    // A missing claim.
    'visitor.claims.absent',
    '!visitor.claims.absent',
    '!!visitor.claims.absent',
    'visitor.claims.absent == true',
    'visitor.claims.absent == false',
    'visitor.claims.absent != true',
    '!(visitor.claims.absent == true)',
    'visitor.claims.absent == null',
    'visitor.claims.absent != null',
    'visitor.claims.absent == visitor.claims.missing',
    'visitor.claims.absent.deeper == 1',
    'visitor.claims.absent in ["a"]',
    '"a" in visitor.claims.absent',
    '!("a" in visitor.claims.absent)',
    'visitor.claims.absent || visitor.claims.old',
    'visitor.claims.absent && visitor.claims.beta',
    '!(visitor.claims.absent || visitor.claims.old)',
    'visitor.claims.lang == "js"',
    // A claim of another type.
    'visitor.claims.seats > "abc"',
    'visitor.claims.seats == "12"',
    'visitor.claims.seats != "12"',
    '!(visitor.claims.seats == "12")',
    'visitor.claims.plan == true',
    'visitor.claims.plan',
    '!visitor.claims.plan',
    'visitor.claims.plan && visitor.claims.beta',
    'visitor.claims.seats',
    'visitor.claims.roles == visitor.claims.roles',
    'visitor.claims.company.region == visitor.claims.company.region',
    'visitor.claims.beta > false',
    'visitor.claims.nothing < 1',
    '"r" in visitor.claims.plan',
    '12 in visitor.claims.company',
    'visitor.claims.roles in visitor.claims.roles',
    'visitor.claims.roles.length > 0',
    // Properties that every object inherits.
    'visitor.claims.constructor != null',
    'visitor.claims.toString != null',
    'visitor.claims.__proto__ != null',
    'visitor.claims.roles.length != null',
    'visitor.claims.plan.length != null',
    'visitor.claims["__proto__"]["constructor"] != null',
    '"toString" in visitor.claims',
    '"__proto__" in visitor.claims.company',
    '"0" in visitor.claims.roles',
    // No boolean result.
    '"text"',
    '1',
    'null',
  ])('is not met: %s', (text) => {
    expect(isConditionMet(text, claims)).toBe(false);
  });

  it('is not met by NaN', () => {
    for (const operator of ['==', '!=', '<', '<=', '>', '>='])
      expect(isConditionMet(`visitor.claims.n ${operator} 1`, { n: Number.NaN })).toBe(false);
  });

  it('reads claims named like properties of objects', () => {
    const own = JSON.parse('{"__proto__": true, "constructor": {"name": "x"}, "toString": 3}') as Record<
      string,
      unknown
    >;
    expect(isConditionMet('visitor.claims.__proto__', own)).toBe(true);
    expect(
      isConditionMet('visitor.claims.constructor.name == "x" && visitor.claims.toString == 3', own),
    ).toBe(true);
  });
});
