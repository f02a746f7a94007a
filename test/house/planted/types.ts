/** Sources that the compiler must refuse with a code, by the option of tsconfig.json that demands it. */
export const typeErrors: Record<string, [code: string, source: string]> = {
  strict: ['TS2322', `export const text: string = 1;`],
  noUncheckedIndexedAccess: ['TS2322', `export const first = (all: string[]): string => all[0];`],
  noImplicitOverride: [
    'TS4114',
    `class Above {\n  run() {}\n}\nexport class Below extends Above {\n  run() {}\n}`,
  ],
  noFallthroughCasesInSwitch: [
    'TS7029',
    `export function count(n: number) {\n  let sum = 0;\n  switch (n) {\n    case 1:\n      sum += 1;\n    default:\n      sum += 2;\n  }\n  return sum;\n}`,
  ],
  noUnusedLocals: ['TS6133', `const nobody = 1;\nexport {};`],
  noUnusedParameters: ['TS6133', `export const one = (nobody: number) => 1;`],
  erasableSyntaxOnly: ['TS1294', `export enum Colour {\n  Red,\n}`],
  verbatimModuleSyntax: ['TS1484', `import { Express } from 'express';\nexport type App = Express;`],
  isolatedModules: ['TS1205', `export { Express } from 'express';`],
  noUncheckedSideEffectImports: ['TS2882', `import './isNotThere.ts';`],
};
