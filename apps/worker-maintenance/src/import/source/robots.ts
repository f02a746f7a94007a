/** Whether a crawler may read a path. */
export type RobotRules = (path: string) => boolean;

/**
 * Parses robots.txt by RFC 9309: the group for our name, else the general one; the longest matching rule
 * decides, and of equally long ones the one that allows.
 */
export function readRobots(text: string, name: string): RobotRules {
  const groups: { agents: string[]; rules: { path: string; isAllowed: boolean }[] }[] = [];
  let isNaming = false;
  for (const line of text.split(/\r\n|\r|\n/).slice(0, 5_000)) {
    const [said = ''] = line.split('#', 1);
    const colon = said.indexOf(':');
    const field = said.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    const value = said.slice(colon + 1).trim();
    if (field === 'user-agent') {
      if (!isNaming) groups.push({ agents: [], rules: [] });
      groups.at(-1)?.agents.push(value.toLowerCase());
      isNaming = true;
    } else if (field === 'allow' || field === 'disallow') {
      isNaming = false;
      if (value !== '') groups.at(-1)?.rules.push({ path: value, isAllowed: field === 'allow' });
    }
  }
  const of = (agent: string) => groups.filter(({ agents }) => agents.includes(agent));
  const rules = (of(name).length > 0 ? of(name) : of('*')).flatMap((group) => group.rules);
  return (path) => {
    const matching = rules.filter((rule) => matches(path, rule.path));
    const longest = Math.max(...matching.map((rule) => rule.path.length));
    return matching.length === 0 || matching.some((rule) => rule.path.length === longest && rule.isAllowed);
  };
}

/**
 * Matches a pattern: `*` stands for any text, and a final `$` for the end. Searches the path once for each
 * part, so no pattern is slow.
 */
function matches(path: string, pattern: string): boolean {
  const isWhole = pattern.endsWith('$');
  const [first = '', ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(first)) return false;
  let position = first.length;
  for (const part of parts) {
    const found = path.indexOf(part, position);
    if (found === -1) return false;
    position = found + part.length;
  }
  if (!isWhole) return true;
  const last = parts.at(-1) ?? first;
  return parts.length === 0
    ? path === first
    : path.endsWith(last) && path.length - last.length >= position - last.length;
}
