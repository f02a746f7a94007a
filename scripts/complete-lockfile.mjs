#!/usr/bin/env node
// Adds to package-lock.json the optional packages of other platforms that npm left out when it wrote the
// file, so that `npm ci` accepts it on all of them.
//
// npm writes an entry for each platform's build of a native package, but drops those that it could not look
// up at that moment; on such a platform `npm ci` then stops with "Missing: ... from lock file". An entry
// without `integrity` is enough. Plain JavaScript, because it also runs before an install.
//
// Usage: node scripts/complete-lockfile.mjs [package-lock.json]
import { readFileSync, writeFileSync } from 'node:fs';

const [file = 'package-lock.json'] = process.argv.slice(2);
const lock = JSON.parse(readFileSync(file, 'utf8'));

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64'];

let added = 0;
for (const [folder, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    // A range names no version to lock; builds for one platform have exact versions.
    const present = lookUp(name, folder);
    if (!/^\d/.test(version) || present?.version === version) continue;
    // Such packages are named after their platform, such as @scope/tool-linux-arm64-gnu.
    const words = name.split(/[/-]/);
    const system = words.find((word) => systems.includes(word));
    const processor = words.find((word) => processors.includes(word));
    // If two versions are required, the second goes below the package that requires it.
    lock.packages[`${present && folder ? `${folder}/` : ''}node_modules/${name}`] = {
      version,
      ...(processor && { cpu: [processor] }),
      ...(entry.dev && { dev: true }),
      optional: true,
      ...(system && { os: [system] }),
    };
    added += 1;
  }
}

if (added > 0) {
  lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
console.log(`${added} packages of other platforms added to ${file}`);

/**
 * The entry that `name` resolves to from the package in `folder`, by Node's look-up rules: in its own
 * node_modules, else in a parent's.
 */
function lookUp(name, folder) {
  for (let parent = folder; ; parent = parent.slice(0, Math.max(0, parent.lastIndexOf('/node_modules/')))) {
    const entry = lock.packages[`${parent && `${parent}/`}node_modules/${name}`];
    if (entry || parent === '') return entry;
  }
}
