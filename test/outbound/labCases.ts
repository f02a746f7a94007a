import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Outbound, createOutbound, outboundLimits, type OutboundSettings } from '@bindery/outbound';
import { intranetAddress, publicAddress, startLab } from '../support/lab/lab.ts';

// Runs inside the lab and prints what became of each URL: `ok` and the answer, or the code of the JobError.
const lab = await startLab();
await lab.serve(publicAddress, 80, answer);
await lab.serve(publicAddress, 8080, answer);
await lab.serve(intranetAddress, 80, answer);
await lab.serve(intranetAddress, 8080, answer);
await lab.serve(intranetAddress, 10_022, answer);

const plain = open();
const outcomes: Record<string, string> = {};
for (const url of process.argv.slice(2)) outcomes[url] = await outcome(plain, url);

// Every look-up is followed by a connection, on its own client so that no connection is kept.
const flips = new Set<string>();
for (let turn = 0; turn < 20; turn++) flips.add(await outcome(open(), 'http://flip.test/'));

const listed = open({ allow: [`${intranetAddress}:10022`, 'intranet.test:8080'] });
const ranged = open({
  allow: ['10.0.0.6/32', '169.254.0.0/16', 'fe80::/10', '169.254.169.254:80', 'meta.test:80', '64:ff9b::/96'],
});
const guarded = open({ allow: [`${publicAddress}:8080`, 'pub.test:8080'], refused: ['other.test:8080'] });

const allowList = {
  'exact address, by name': await outcome(listed, 'http://intranet.test:10022/'),
  'exact address, literally': await outcome(listed, `http://${intranetAddress}:10022/`),
  'exact name': await outcome(listed, 'http://intranet.test:8080/'),
  'exact name, address written': await outcome(listed, `http://${intranetAddress}:8080/`),
  'exact, on a usual port that is not listed': await outcome(listed, 'http://intranet.test/'),
  'another name on a listed port': await outcome(listed, 'http://pub.test:10022/'),
  range: await outcome(ranged, 'http://intranet.test/'),
  'range, on another port': await outcome(ranged, 'http://intranet.test:10022/'),
  'metadata, listed': await outcome(ranged, 'http://meta.test/'),
  'metadata, listed and literal': await outcome(ranged, 'http://169.254.169.254/'),
  'redirect to listed metadata': await outcome(ranged, 'http://pub.test/to/http://meta.test/'),
  'our own service, at the address of its name': await outcome(guarded, 'http://pub.test:8080/'),
  'our own service, literally': await outcome(guarded, `http://${publicAddress}:8080/`),
  'beside our own service': await outcome(guarded, 'http://pub.test/'),
};

const hits = lab.hits();
// The control: canaries that count nothing would prove nothing.
await lab.touchCanaries();
console.log(
  JSON.stringify({
    outcomes,
    flips: [...flips].sort(),
    flipQueries: lab.queries('flip.test'),
    allowList,
    hits,
    touched: lab.hits(),
  }),
);
process.exit();

function open(settings: Partial<OutboundSettings> = {}): Outbound {
  return createOutbound({ allow: [], refused: [], ...settings });
}

async function outcome(outbound: Outbound, text: string): Promise<string> {
  try {
    const url = outbound.checkUrl(text);
    const response = await outbound.request({
      url,
      redirects: 'follow',
      limits: { ...outboundLimits.spec, connectMs: 1_000 },
    });
    return `ok ${Buffer.concat(await Array.fromAsync(response.body)).toString()}`;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

/** `/to/<url>` redirects there, everything else is a page. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const [, location] = /^\/to\/(.*)$/.exec(request.url ?? '') ?? [];
  if (location !== undefined) response.writeHead(302, { location });
  response.end('page');
}
