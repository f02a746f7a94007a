/** A problem, and what to do about it. */
export type Finding = { problem: string; fix: string };

/**
 * Finds the settings of Redis that harm the dispatch of jobs. Its content may be lost, so persistence may be
 * off; but a Redis that fails to persist refuses writes.
 *
 * @param info  the answer of `INFO`
 */
export function findRedisProblems(info: string): Finding[] {
  const values = new Map(
    info.split('\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
    }),
  );
  const findings: Finding[] = [];
  const policy = values.get('maxmemory_policy');
  if (policy !== 'noeviction')
    findings.push({
      problem: `its maxmemory-policy is ${policy}`,
      fix: 'set it to noeviction, or jobs are dispatched late when memory runs out',
    });
  const [usedBytes = 0, maxBytes = 0] = ['used_memory', 'maxmemory'].map((field) =>
    Number(values.get(field) ?? 0),
  );
  if (maxBytes > 0 && usedBytes >= maxBytes)
    findings.push({
      problem: `it uses all of its maxmemory (${Math.ceil(maxBytes / 1_048_576)} MiB), at which it refuses writes`,
      fix: 'raise maxmemory, or move other data away from it; accepted jobs wait in MongoDB until then',
    });
  for (const [field, name] of [
    ['rdb_last_bgsave_status', 'snapshot'],
    ['aof_last_write_status', 'write of its append-only file'],
  ] as const)
    if (values.get(field) === 'err')
      findings.push({
        problem: `its last ${name} failed, after which it refuses writes`,
        fix: 'free space on its disk, or switch persistence off: the content of Redis may be lost',
      });
  return findings;
}
