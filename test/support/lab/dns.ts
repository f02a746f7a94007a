import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';

/**
 * The answer for a name: addresses, texts, authorities in CAA records, addresses that depend on the number of
 * the query (from 1), an alias, a failure or a slow answer.
 */
export type DnsRecord =
  | string[]
  | { texts: string[] }
  | { issuers: string[] }
  | ((query: number) => string[])
  | { answerAfterMs: number; addresses: string[] }
  | (string & {});

type Question = { id: number; name: string; type: number; bytes: Buffer };

const types = { A: 1, CNAME: 5, TXT: 16, AAAA: 28, CAA: 257 };
const codes = { none: 0, SERVFAIL: 2, NXDOMAIN: 3 };

/**
 * Starts a DNS server for A, AAAA, CNAME, TXT and CAA queries over UDP, by default on port 53 of `address`;
 * port 0 takes a free one.
 */
export async function startDns(address: string, names: Record<string, DnsRecord>, port = 53) {
  const asked = new Map<string, number>();
  const socket = createSocket('udp4');

  socket.on('message', (message, client) => {
    const question = parseQuestion(message);
    // A resolver queries A and AAAA together, so one of them is counted per lookup.
    const query = (asked.get(question.name) ?? 0) + (question.type === types.A ? 1 : 0);
    asked.set(question.name, query);
    const { delayMs, reply } = answer(question, names, Math.max(query, 1));
    setTimeout(() => socket.send(reply, client.port, client.address), delayMs).unref();
  });
  socket.bind(port, address);
  await once(socket, 'listening');
  socket.unref();
  return { queries: (name: string) => asked.get(name) ?? 0, server: `${address}:${socket.address().port}` };
}

function answer(
  question: Question,
  names: Record<string, DnsRecord>,
  query: number,
): { delayMs: number; reply: Buffer } {
  const record = names[question.name];
  if (record === undefined) return { delayMs: 0, reply: encode(question, codes.NXDOMAIN, []) };
  if (record === 'SERVFAIL') return { delayMs: 0, reply: encode(question, codes.SERVFAIL, []) };
  if (typeof record === 'string') {
    const target = names[record];
    const addresses = Array.isArray(target) ? target : [];
    return {
      delayMs: 0,
      reply: encode(question, codes.none, [
        encodeAlias(record),
        ...encodeAddresses(addresses, question.type, encodeName(record)),
      ]),
    };
  }
  if (typeof record === 'object' && 'texts' in record) {
    const texts = question.type === types.TXT ? record.texts.map(encodeText) : [];
    return { delayMs: 0, reply: encode(question, codes.none, texts) };
  }
  if (typeof record === 'object' && 'issuers' in record) {
    const issuers = question.type === types.CAA ? record.issuers.map(encodeIssuer) : [];
    return { delayMs: 0, reply: encode(question, codes.none, issuers) };
  }
  const delayed = 'addresses' in record ? record.addresses : [];
  const found = typeof record === 'function' ? record(query) : delayed;
  const addresses = Array.isArray(record) ? record : found;
  const delayMs = 'answerAfterMs' in record ? record.answerAfterMs : 0;
  return { delayMs, reply: encode(question, codes.none, encodeAddresses(addresses, question.type)) };
}

function parseQuestion(message: Buffer): Question {
  const labels: string[] = [];
  let offset = 12;
  for (let length = message.readUInt8(offset); length > 0; length = message.readUInt8(offset)) {
    labels.push(message.toString('latin1', offset + 1, offset + 1 + length));
    offset += 1 + length;
  }
  return {
    id: message.readUInt16BE(0),
    name: labels.join('.').toLowerCase(),
    type: message.readUInt16BE(offset + 1),
    bytes: message.subarray(12, offset + 5),
  };
}

function encode({ id, bytes }: Question, code: number, answers: Buffer[]): Buffer {
  // Answer, recursion desired and available, then the counts: one question, the answers, nothing else.
  return Buffer.concat([uint16(id, 0x8180 | code, 1, answers.length, 0, 0), bytes, ...answers]);
}

/** A name as a pointer to that of the question, at byte 12. */
const askedName = uint16(0xc00c);

function encodeAddresses(addresses: readonly string[], type: number, name = askedName): Buffer[] {
  return addresses
    .filter((address) => type === (isIPv6(address) ? types.AAAA : types.A))
    .map((address) => {
      const bytes = isIPv6(address) ? ipv6Bytes(address) : Buffer.from(address.split('.').map(Number));
      return Buffer.concat([name, uint16(type, 1, 0, 0, bytes.length), bytes]);
    });
}

function encodeAlias(target: string): Buffer {
  const name = encodeName(target);
  return Buffer.concat([askedName, uint16(types.CNAME, 1, 0, 0, name.length), name]);
}

/** Encodes a text in two parts, like long texts. */
function encodeText(text: string): Buffer {
  const parts = [text.slice(0, 5), text.slice(5)].map((part) =>
    Buffer.concat([Buffer.from([part.length]), Buffer.from(part)]),
  );
  const bytes = Buffer.concat(parts);
  return Buffer.concat([askedName, uint16(types.TXT, 1, 0, 0, bytes.length), bytes]);
}

/** Encodes a CAA record without flags, which permits an authority. */
function encodeIssuer(issuer: string): Buffer {
  const bytes = Buffer.concat([Buffer.from([0, 5]), Buffer.from(`issue${issuer}`)]);
  return Buffer.concat([askedName, uint16(types.CAA, 1, 0, 0, bytes.length), bytes]);
}

function encodeName(name: string): Buffer {
  return Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ]);
}

function ipv6Bytes(address: string): Buffer {
  // URL writes every notation in hexadecimal groups.
  const [left = '', right] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const groups = (part: string | undefined) =>
    part ? part.split(':').map((group) => Number.parseInt(group, 16)) : [];
  const [head, tail] = [groups(left), groups(right)];
  return uint16(...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail);
}

function uint16(...numbers: number[]): Buffer {
  return Buffer.from(numbers.flatMap((number) => [number >> 8, number & 0xff]));
}
