// The real API. Asked for its memory, it first collects its garbage; `--expose-gc` is among its options.

process.on('message', (message) => {
  if (message !== 'memory') return;
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ heldMb: (heapUsed + external) / 1_048_576 });
});
await import('../../apps/api/src/main.ts');
