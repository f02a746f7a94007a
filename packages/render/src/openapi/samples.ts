import type { DocumentBlock } from '@bindery/contract';
import { isWebTarget } from '@bindery/contract/linkTarget';
import { codeBlock, type Html } from '@bindery/dialect';
import { isPart, listIn, membersIn, textIn, type Part } from '@bindery/dialect/openapi';
import { exampleOf } from './example.ts';
import type { Describing, Operation } from './describing.ts';
import { headersOf, securityOf } from './security.ts';
import { addressOf, serversOf } from './servers.ts';

type Sample = { title: string; syntax: string; source: string };
type Call = {
  method: string;
  url: string;
  headers: [name: string, value: string][];
  body?: string | undefined;
};

const mostSamples = 10;
const longestSample = 10_000;

/**
 * Shows a request in several languages, as tabs: the samples of the author, else ones made for the first
 * server. Paper has no room for all of them, and an operation without an address has none.
 */
export function renderSamples(operation: Operation, describing: Describing): Html {
  const { context } = describing;
  if (!context.tabGroup) return '';
  const written = writtenSamples(operation.operation);
  const samples = written.length > 0 ? written : madeSamples(operation, describing);
  if (samples.length === 0) return '';
  const tabs = samples.map(({ title, syntax, source }): DocumentBlock => {
    const nodes = [codeBlock(source, { syntax })];
    return { object: 'block', type: 'tabs-item', data: { title }, nodes };
  });
  return context.render([{ object: 'block', type: 'tabs', data: {}, nodes: tabs }]);
}

function writtenSamples(operation: Part): Sample[] {
  return ['x-codeSamples', 'x-code-samples', 'x-samples']
    .flatMap((name) => listIn(operation, name))
    .filter(isPart)
    .slice(0, mostSamples)
    .flatMap((sample) => {
      const [language, source] = [textIn(sample, 'lang'), textIn(sample, 'source')];
      if (source === '' || source.length > longestSample) return [];
      return [{ title: textIn(sample, 'label') || language, syntax: language.toLowerCase(), source }];
    });
}

function madeSamples(operation: Operation, { specification }: Describing): Sample[] {
  if (operation.isWebhook) return [];
  const [server] = serversOf(operation);
  const address = server === undefined ? '' : addressOf(server).replace(/\/$/, '');
  if (!isWebTarget(address)) return [];
  const [content] = membersIn(specification.read(operation.operation['requestBody']), 'content');
  const [way = []] = securityOf(operation, specification);
  const headers = headersOf(way);
  if (content) headers.push(['Content-Type', content[0]]);
  const call: Call = {
    method: operation.method.toUpperCase(),
    url: address + operation.name,
    headers,
    body: content && exampleOf(specification.read(content[1]), specification),
  };
  return [
    { title: 'cURL', syntax: 'bash', source: inShell(call) },
    { title: 'JavaScript', syntax: 'javascript', source: inJavaScript(call) },
    { title: 'Python', syntax: 'python', source: inPython(call) },
  ];
}

function inShell({ method, url, headers, body }: Call): string {
  return [
    `curl --request ${method} ${shellText(url)}`,
    ...headers.map(([name, value]) => `--header ${shellText(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data ${shellText(body)}`]),
  ].join(' \\\n  ');
}

function shellText(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function inJavaScript({ method, url, headers, body }: Call): string {
  return [
    `const response = await fetch(${JSON.stringify(url)}, {`,
    `  method: ${JSON.stringify(method)},`,
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers.map((each) => `  ${pair(each)}`), '  },']),
    ...(body === undefined ? [] : [`  body: ${JSON.stringify(body)},`]),
    '});',
    'console.log(await response.text());',
  ].join('\n');
}

/** A text in JSON means the same in Python. */
function inPython({ method, url, headers, body }: Call): string {
  return [
    'import requests',
    '',
    'response = requests.request(',
    `    ${JSON.stringify(method)},`,
    `    ${JSON.stringify(url)},`,
    ...(headers.length === 0
      ? []
      : ['    headers={', ...headers.map((each) => `    ${pair(each)}`), '    },']),
    ...(body === undefined ? [] : [`    data=${JSON.stringify(body)},`]),
    ')',
    'print(response.text)',
  ].join('\n');
}

function pair([name, value]: [string, string]): string {
  return `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`;
}
