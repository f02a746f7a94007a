import { createOutbound, outboundLimits } from '@bindery/outbound';

// Reads one URL in a process of its own, for tests of what the environment can do: node readOnce.ts URL
// ALLOWED
const [, , text = '', allowed = ''] = process.argv;
const outbound = createOutbound({ allow: [allowed], refused: [] });
try {
  const response = await outbound.request({
    url: outbound.checkUrl(text),
    redirects: 'none',
    limits: outboundLimits.spec,
  });
  process.stdout.write(Buffer.concat(await Array.fromAsync(response.body)));
} catch (error) {
  process.stdout.write((error as { code: string }).code);
}
await outbound.close();
