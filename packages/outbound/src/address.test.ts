import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createAddressRules } from './address.ts';

type Lists = { allow?: string[]; refused?: string[] };

function permits(
  address: string,
  { port = 443, hostname = address, ...lists }: Lists & { port?: number; hostname?: string } = {},
): boolean {
  return createAddressRules({ allow: [], refused: [], ...lists }).permits({ hostname, address, port });
}

describe('an unlisted address', () => {
  it.each([
    '93.184.215.14',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450::5',
  ])('is reached when public: %s', (address) => expect(permits(address)).toBe(true));

  it.each([
    ['loopback', '127.0.0.1'],
    ['the far end of loopback', '127.255.255.254'],
    ['this network', '0.0.0.0'],
    ['this network with host bits', '0.1.2.3'],
    ['private 10', '10.0.0.5'],
    ['private 172.16', '172.16.0.1'],
    ['private 172.31', '172.31.255.255'],
    ['private 192.168', '192.168.1.1'],
    ['carrier NAT', '100.64.0.1'],
    ['carrier NAT, end', '100.127.255.254'],
    ['metadata', '169.254.169.254'],
    ['link-local', '169.254.0.1'],
    ['Alibaba metadata', '100.100.100.200'],
    ['Azure metadata', '168.63.129.16'],
    ['Oracle metadata', '192.0.0.192'],
    ['IETF assignments', '192.0.0.8'],
    ['documentation 1', '192.0.2.1'],
    ['documentation 2', '198.51.100.7'],
    ['documentation 3', '203.0.113.7'],
    ['6to4 relays', '192.88.99.1'],
    ['benchmarking', '198.18.0.1'],
    ['benchmarking, end', '198.19.255.255'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['IPv6 loopback', '::1'],
    ['IPv6 unspecified', '::'],
    ['mapped loopback', '::ffff:127.0.0.1'],
    ['mapped private in hex', '::ffff:a00:5'],
    ['mapped metadata', '::ffff:169.254.169.254'],
    ['IPv4-compatible loopback', '::127.0.0.1'],
    ['IPv4-compatible public', '::8.8.8.8'],
    ['translated (SIIT)', '::ffff:0:10.0.0.5'],
    ['NAT64 loopback', '64:ff9b::127.0.0.1'],
    ['NAT64 public', '64:ff9b::8.8.8.8'],
    ['NAT64 local prefix', '64:ff9b:1::a00:5'],
    ['6to4 of loopback', '2002:7f00:1::'],
    ['6to4 of a public address', '2002:808:808::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['unique local', 'fd12:3456::1'],
    ['AWS metadata', 'fd00:ec2::254'],
    ['Google metadata', 'fd20:ce::254'],
    ['IPv6 link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['IPv6 multicast', 'ff02::1'],
    ['IPv6 documentation', '2001:db8::1'],
    ['newer IPv6 documentation', '3fff::1'],
    ['discard prefix', '100::1'],
    ['ORCHIDv2', '2001:20::1'],
    ['segment routing', '5f00::1'],
    ['space that nobody was given', '4000::1'],
    ['text that is no address', 'example.com'],
  ])('is refused: %s %s', (_kind, address) => expect(permits(address)).toBe(false));

  it.each([80, 443, 3000, 4000, 8080, 9999])('is reached on port %i', (port) =>
    expect(permits('1.1.1.1', { port })).toBe(true),
  );

  it.each([0, 21, 22, 25, 81, 2375, 2999, 3306, 5432, 6379, 9200, 10_000, 11_211, 27_017, 65_535])(
    'is refused on port %i',
    (port) => expect(permits('1.1.1.1', { port })).toBe(false),
  );
});

describe('the allow list', () => {
  it('opens an address on exactly the listed port', () => {
    expect(permits('127.0.0.2', { port: 18_080, allow: ['127.0.0.2:18080'] })).toBe(true);
    expect(permits('127.0.0.2', { port: 8080, allow: ['127.0.0.2:18080'] })).toBe(false);
    expect(permits('127.0.0.3', { port: 18_080, allow: ['127.0.0.2:18080'] })).toBe(false);
  });

  it('opens a listed address to names that resolve to it, and in its IPv4-mapped form', () => {
    const allow = ['127.0.0.2:18080', '[fd12::5]:8443'];
    expect(permits('127.0.0.2', { port: 18_080, hostname: 'git.corp', allow })).toBe(true);
    expect(permits('::ffff:7f00:2', { port: 18_080, allow })).toBe(true);
    expect(permits('fd12:0:0::5', { port: 8443, allow })).toBe(true);
  });

  it('opens a listed name at any address, except addresses that are always refused', () => {
    const allow = ['git.corp:8443'];
    expect(permits('10.0.0.5', { port: 8443, hostname: 'git.corp', allow })).toBe(true);
    expect(permits('10.0.0.5', { port: 8443, hostname: 'evil.test', allow })).toBe(false);
    expect(permits('169.254.169.254', { port: 8443, hostname: 'git.corp', allow })).toBe(false);
  });

  it('applies the port rule to a range', () => {
    expect(permits('10.0.0.5', { allow: ['10.0.0.0/16'] })).toBe(true);
    expect(permits('10.0.0.5', { port: 22, allow: ['10.0.0.0/16'] })).toBe(false);
    expect(permits('10.1.0.5', { allow: ['10.0.0.0/16'] })).toBe(false);
    expect(permits('fd12::5', { allow: ['10.0.0.0/16', 'fd12::/16'] })).toBe(true);
  });

  it.each([
    ['169.254.169.254', '169.254.169.254:80'],
    ['169.254.169.254', '169.254.0.0/16'],
    ['169.254.169.254', '0.0.0.0/0'],
    ['::ffff:169.254.169.254', '0.0.0.0/0'],
    ['fe80::1', '::/0'],
    ['fd00:ec2::254', '[fd00:ec2::254]:80'],
    ['64:ff9b::a9fe:a9fe', '64:ff9b::/96'],
    ['2002:a9fe:a9fe::1', '2002::/16'],
    ['168.63.129.16', '168.63.129.16:80'],
  ])('never opens %s, listed as %s', (address, entry) =>
    expect(permits(address, { port: 80, allow: [entry] })).toBe(false),
  );

  it('names malformed entries', () => {
    const create = () =>
      createAddressRules({
        allow: ['git.corp', 'ok:1', 'http://a:80', '10.0.0.0/33', 'b:0', 'c:65536', 'u@d:80'],
        refused: [],
      });
    expect(create).toThrow('git.corp, http://a:80, 10.0.0.0/33, b:0, c:65536, u@d:80');
    expect(() => createAddressRules({ allow: [], refused: ['10.0.0.0/8'] })).toThrow('refused list');
  });
});

describe('our own services', () => {
  it('are refused even when listed, by name and by address', () => {
    expect(permits('10.0.0.7', { port: 4000, allow: ['10.0.0.7:4000'], refused: ['10.0.0.7:4000'] })).toBe(
      false,
    );
    expect(
      permits('10.0.0.7', { port: 4000, hostname: 'mongo', allow: ['mongo:4000'], refused: ['mongo:4000'] }),
    ).toBe(false);
    expect(permits('10.0.0.7', { port: 4001, allow: ['10.0.0.7:4001'], refused: ['10.0.0.7:4000'] })).toBe(
      true,
    );
  });

  it('are refused at the addresses of their names', () => {
    const rules = createAddressRules({ allow: ['10.0.0.0/8'], refused: ['redis:7000'] });
    const target = { hostname: 'evil.test', address: '10.0.0.7', port: 7000 };
    expect(rules.ownHosts(7000)).toEqual(['redis']);
    expect(rules.permits(target, ['10.0.0.8'])).toBe(true);
    expect(rules.permits(target, ['::ffff:10.0.0.7'])).toBe(false);
  });

  it.each(['localhost:7000', '127.0.0.1:7000', '0.0.0.0:7000', '[::]:7000', '[::1]:7000'])(
    'on %s are refused at every address of this machine',
    (own) => {
      const allow = ['127.0.0.0/8', '0.0.0.0/0', '::/0'];
      const here = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
      for (const address of [
        '127.0.0.1',
        '127.0.0.9',
        '0.0.0.0',
        '::1',
        '::',
        ...here.map((entry) => entry.address),
      ]) {
        expect(permits(address, { port: 7000, allow, refused: [own] }), address).toBe(false);
      }
      expect(permits('10.200.0.5', { port: 7000, allow, refused: [own] })).toBe(true);
    },
  );
});
