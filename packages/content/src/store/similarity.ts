/** How much two texts have in common: shared lines, counted by their length, over all lines. 0 for nothing, 1 for the same. */
export function similarity(a: string, b: string): number {
  const linesOfA = countLines(a);
  const linesOfB = countLines(b);
  let shared = 0;
  let all = 0;
  for (const [line, count] of linesOfA) {
    const common = Math.min(count, linesOfB.get(line) ?? 0);
    shared += common * line.length;
    all += Math.max(count, linesOfB.get(line) ?? 0) * line.length;
  }
  for (const [line, count] of linesOfB) if (!linesOfA.has(line)) all += count * line.length;
  return all === 0 ? 0 : shared / all;
}

function countLines(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (line) counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return counts;
}
