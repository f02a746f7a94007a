import { plain } from '../api/plain.ts';
import { dataOption, parseOptions, type Usage } from '../../options.ts';
import { Refusal } from '../../refusal.ts';
import { openApi } from '../api/apiAccess.ts';
import { applyPlan, planDeclaration, type Plan } from './planDeclaration.ts';
import { readDeclaration } from './readDeclaration.ts';
import { changeLine, planAsJson, planAsText } from './showPlan.ts';

const shared = {
  prune: { help: 'Also remove objects that the file does not declare.' },
  format: { value: 'FORMAT', help: 'text or json.' },
  ...dataOption,
};

export const planUsage = {
  command: 'plan',
  operands: '[FILE]',
  options: shared,
} satisfies Usage;

export const applyUsage = {
  command: 'apply',
  operands: '[FILE]',
  options: {
    ...shared,
    plan: { value: 'NAME', help: 'Only if this is still the plan, as `plan` named it.' },
  },
} satisfies Usage;

/** There is something to do. */
const changesCode = 2;

/** @returns 0 when there is nothing to do, else 2 */
export async function plan(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values, operands } = parseOptions(planUsage, args);
  const isJson = isJsonOf(values.format);
  const found = await makePlan({ operands, environment, ...values });
  process.stdout.write(isJson ? planAsJson(found, false) : planAsText(found));
  return found.changes.length > 0 ? changesCode : 0;
}

/** @returns 0 when all is as declared */
export async function apply(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values, operands } = parseOptions(applyUsage, args);
  const isJson = isJsonOf(values.format);
  const found = await makePlan({ operands, environment, ...values });
  if (values.plan !== undefined && values.plan !== found.name)
    throw new Refusal(`The plan is no longer ${values.plan}: something has changed since. Nothing is done.`, [
      'Look at the new one with `bindery plan`.',
    ]);
  if (!isJson) process.stdout.write(planAsText(found));
  await applyPlan(found, (change) => {
    if (!isJson) console.log(plain(`done: ${changeLine(change)}`));
  });
  if (isJson) process.stdout.write(planAsJson(found, true));
  return 0;
}

type Given = {
  operands: readonly string[];
  environment: NodeJS.ProcessEnv;
  data?: string | undefined;
  prune?: boolean | undefined;
};

async function makePlan({ operands, environment, data, prune = false }: Given): Promise<Plan> {
  const [file = 'docs.yaml', ...more] = operands;
  if (more.length > 0) throw new Refusal('Give one file.');
  const declaration = await readDeclaration(file);
  return planDeclaration(declaration, { api: openApi({ data, environment }), environment, prune });
}

function isJsonOf(format = 'text'): boolean {
  if (format !== 'text' && format !== 'json') throw new Refusal('--format must be one of text, json.');
  return format === 'json';
}
