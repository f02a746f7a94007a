import { follow, pathItemsOf, type Operation, type PathItem } from '../operations.ts';
import { listIn, memberOf, textIn } from '../source/parts.ts';
import type { CheckContext } from './context.ts';

/** Checks what no JSON schema can: operations and paths that contradict each other. */
export function checkOperations(context: CheckContext): void {
  const items = pathItemsOf(context.document, context.version.minor);
  const paths = items.filter(({ isWebhook }) => !isWebhook);
  checkOperationIds(items, context);
  checkPaths(paths, context);
  for (const item of items) {
    const shared = parametersOf(item, context);
    for (const operation of item.operations) {
      const own = parametersOf(operation, context);
      if (!item.isWebhook) checkPathParameters({ item, operation, own, shared }, context);
    }
  }
  for (const item of paths) checkUnusedParameters(item, context);
}

function checkOperationIds(items: readonly PathItem[], { report }: CheckContext): void {
  const seen = new Map<string, string>();
  for (const { pointer, value } of items.flatMap(({ operations }) => operations)) {
    const operationId = textIn(value, 'operationId');
    if (operationId === undefined) continue;
    const first = seen.get(operationId);
    // Two paths may share a path item, and with it the operation.
    if (first !== undefined && first !== pointer) {
      report({
        severity: 'error',
        rule: 'duplicate-operation-id',
        message: `Two operations have the operationId "${operationId}"; each needs its own.`,
        pointer: `${pointer}/operationId`,
      });
    }
    if (first === undefined) seen.set(operationId, pointer);
  }
}

function checkPaths(paths: readonly PathItem[], { report }: CheckContext): void {
  const seen = new Map<string, string>();
  for (const { name, namePointer } of paths) {
    const blank = name.replaceAll(template, '{}');
    const first = seen.get(blank);
    if (first === undefined) seen.set(blank, name);
    else {
      report({
        severity: 'error',
        rule: 'ambiguous-paths',
        message: `${name} and ${first} are the same path with other names of parameters.`,
        pointer: namePointer,
      });
    }
    const names = namesIn(name);
    const twice = names.find((each, index) => names.indexOf(each) !== index);
    if (twice !== undefined) {
      report({
        severity: 'error',
        rule: 'repeated-path-parameter',
        message: `${name} has the parameter {${twice}} twice; give each a name of its own.`,
        pointer: namePointer,
      });
    }
  }
}

type Parameter = { name: string; in: string; pointer: string };
type Parameters = {
  known: Parameter[];
  /** A parameter is no object, or its reference leads nowhere. */
  hasUnknown: boolean;
};

function parametersOf(
  { value, pointer }: { value: unknown; pointer: string },
  { document, report }: CheckContext,
): Parameters {
  const parameters: Parameters = { known: [], hasUnknown: false };
  const seen = new Set<string>();
  for (const [index, each] of listIn(value, 'parameters').entries()) {
    const place = `${pointer}/parameters/${index}`;
    const parameter = follow(document, { value: each, pointer: place })?.value;
    const name = textIn(parameter, 'name');
    const location = textIn(parameter, 'in');
    if (name === undefined || location === undefined) {
      parameters.hasUnknown = true;
      continue;
    }
    const key = `${location} ${name}`;
    if (seen.has(key)) {
      report({
        severity: 'error',
        rule: 'duplicate-parameter',
        message: `The ${location} parameter "${name}" is listed twice.`,
        pointer: place,
      });
    }
    seen.add(key);
    parameters.known.push({ name, in: location, pointer: place });
  }
  return parameters;
}

function checkPathParameters(
  {
    item,
    operation,
    own,
    shared,
  }: { item: PathItem; operation: Operation; own: Parameters; shared: Parameters },
  { report }: CheckContext,
): void {
  const names = new Set(namesIn(item.name));
  const declared = new Set(
    [...own.known, ...shared.known].filter((each) => each.in === 'path').map(({ name }) => name),
  );
  if (!own.hasUnknown && !shared.hasUnknown) {
    for (const name of names) {
      if (declared.has(name)) continue;
      report({
        severity: 'error',
        rule: 'undeclared-path-parameter',
        message: `${operation.method.toUpperCase()} ${item.name} does not declare the path parameter "${name}".`,
        pointer: operation.pointer,
      });
    }
  }
  for (const parameter of own.known) {
    if (parameter.in !== 'path' || names.has(parameter.name)) continue;
    report({
      severity: 'error',
      rule: 'unused-path-parameter',
      message: `The path ${item.name} has no {${parameter.name}}, which this parameter declares.`,
      pointer: parameter.pointer,
    });
  }
}

/** Parameters that all operations of a path share: once, not for each operation. */
function checkUnusedParameters(item: PathItem, context: CheckContext): void {
  const names = new Set(namesIn(item.name));
  for (const [index, each] of listIn(item.value, 'parameters').entries()) {
    const pointer = `${item.pointer}/parameters/${index}`;
    const parameter = follow(context.document, { value: each, pointer })?.value;
    const name = textIn(parameter, 'name');
    if (memberOf(parameter, 'in') !== 'path' || name === undefined || names.has(name)) continue;
    context.report({
      severity: 'error',
      rule: 'unused-path-parameter',
      message: `The path ${item.name} has no {${name}}, which this parameter declares.`,
      pointer,
    });
  }
}

const template = /\{[^{}]*\}/g;

/** The parameters of a path; some authors write those of the query behind it. */
function namesIn(path: string): string[] {
  return [...(path.split('?', 1)[0] ?? '').matchAll(template)].map(([name]) => name.slice(1, -1));
}
