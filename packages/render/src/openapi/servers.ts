import { element, type Html } from '@bindery/dialect';
import { isPart, listIn, membersIn, textIn, type Part } from '@bindery/dialect/openapi';
import { renderDescription } from './description.ts';
import type { Describing, Operation } from './describing.ts';

const mostServers = 10;

/** The servers of an operation, else of its path, else of the whole specification. */
export function serversOf({ operation, item, document }: Operation): Part[] {
  const given = [operation, item, document].map((each) => listIn(each, 'servers'));
  const own = given.find((list) => list.length > 0) ?? [];
  return own.filter((server): server is Part => isPart(server)).slice(0, mostServers);
}

/** The address of a server, with the usual values of its variables. */
export function addressOf(server: Part): string {
  const values = new Map(membersIn(server, 'variables'));
  return textIn(server, 'url').replaceAll(/\{([^{}]*)\}/g, (written, name: string) => {
    const variable = values.get(name);
    return (isPart(variable) && textIn(variable, 'default')) || written;
  });
}

export function renderServers(operation: Operation, { specification, context, words }: Describing): Html {
  const servers = serversOf(operation).filter((server) => addressOf(server) !== '' && specification.take());
  if (servers.length === 0) return '';
  const rows = servers.map((server) => [
    element('dt', {}, element('code', {}, addressOf(server))),
    element('dd', {}, renderDescription(textIn(server, 'description'), context)),
  ]);
  return [
    element('p', { class: 'label' }, servers.length === 1 ? words.server : words.servers),
    element('dl', {}, rows),
  ];
}
