import { child, follow, type Located, type SpecDocument } from '../engine/document.ts';
import { asObject, textOf, type JsonObject } from '../engine/json.ts';
import { report } from '../engine/report.ts';
import type { Run, Scope } from '../engine/scope.ts';
import { code } from '../rules/code.ts';
import { isSameValue } from '../schema/sameSchema.ts';

/** Old names of schemes that got a new name and changed in nothing else. */
export function renamedSchemes({ before, after }: Run): Map<string, string> {
  const [old, now] = [schemesOf(before), schemesOf(after)];
  const isNew = (name: string) => !Object.hasOwn(old.node, name);
  const added = Object.keys(now.node).filter(isNew);
  const aliases = new Map<string, string>();
  for (const name of Object.keys(old.node)) {
    if (Object.hasOwn(now.node, name)) continue;
    const alias = added.find((other) => isSameValue(basicsOf(old.node[name]), basicsOf(now.node[other])));
    if (alias !== undefined) aliases.set(name, alias);
  }
  return aliases;
}

/** Compares the schemes that both documents require, each under its new name. */
export function compareSchemes(
  scope: Scope,
  names: Iterable<string>,
  aliases: ReadonlyMap<string, string>,
): void {
  const oldNames = new Map([...aliases].map(([from, to]) => [to, from]));
  for (const name of names) {
    const before = schemeOf(scope.run.before, oldNames.get(name) ?? name);
    const after = schemeOf(scope.run.after, name);
    const [from, to] = [before, after].map(({ node }) => textOfScheme(node));
    if (from === to && keepsFlows(before.node, after.node)) continue;
    report(scope, 'security-scheme-changed', {
      before: before.pointer,
      after: after.pointer,
      from: code(from === to ? flowsOf(before.node) : from),
      to: code(from === to ? flowsOf(after.node) : to),
      name: code(name),
    });
  }
}

function schemesOf({ root }: SpecDocument): Located {
  return child(child({ node: root, pointer: '' }, 'components'), 'securitySchemes');
}

function schemeOf(document: SpecDocument, name: string): Located {
  return follow(document, child(schemesOf(document), name));
}

/** Describes how a client uses a scheme, without its flows: `apiKey header X-Key`. */
function textOfScheme({ type, scheme, in: place, name, openIdConnectUrl }: JsonObject): string {
  const parts = [type, textOf(scheme).toLowerCase(), place, name, openIdConnectUrl];
  return parts.filter((part) => typeof part === 'string' && part !== '').join(' ');
}

/** True when each flow of OAuth that there was is there with the same addresses. */
function keepsFlows(before: JsonObject, after: JsonObject): boolean {
  const now = asObject(after['flows']);
  return Object.entries(asObject(before['flows'])).every(([name, flow]) =>
    isSameValue(addressesOf(flow), addressesOf(now[name])),
  );
}

function flowsOf({ flows }: JsonObject): unknown {
  return Object.fromEntries(Object.entries(asObject(flows)).map(([name, flow]) => [name, addressesOf(flow)]));
}

function addressesOf(flow: unknown): unknown {
  const { authorizationUrl, tokenUrl } = asObject(flow);
  return { authorizationUrl, tokenUrl };
}

function basicsOf(scheme: unknown): unknown {
  return [textOfScheme(asObject(scheme)), flowsOf(asObject(scheme))];
}
