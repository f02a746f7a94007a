import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newEllipticKey, writeSelfSigned } from '../support/http/selfSigned.ts';

export type Certificate = { key: string; cert: string };

/** Why no certificates can be made here, or undefined when they can. */
export function missingOpenssl(): string | undefined {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'there is no openssl binary to make certificates with';
  }
}

/** A certificate authority in a folder of its own. */
export function createAuthority() {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-test-ca-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const read = (name: string): Certificate => ({
    key: readFileSync(join(folder, `${name}.key`), 'utf8'),
    cert: readFileSync(join(folder, `${name}.crt`), 'utf8'),
  });

  writeSelfSigned({ folder, name: 'ca' }, { subject: 'Bindery test authority' });
  // `ca` is the one command that takes both dates in every version of OpenSSL.
  writeFileSync(join(folder, 'index.txt'), '');
  writeFileSync(
    join(folder, 'ca.cnf'),
    '[ca]\ndefault_ca=d\n[d]\ndatabase=index.txt\nnew_certs_dir=.\nrand_serial=yes\ncertificate=ca.crt\nprivate_key=ca.key\ndefault_md=sha256\npolicy=p\nunique_subject=no\n[p]\ncommonName=supplied\n',
  );

  return {
    /** The authority's own certificate, for the CA file of the settings. */
    file: join(folder, 'ca.crt'),
    /**
     * A certificate for `names` (`DNS:a.test,IP:127.0.0.2`), valid from now on or between two dates such as
     * `20200101000000Z`.
     */
    issue(name: string, names: string, dates?: { from: string; to: string }): Certificate {
      writeFileSync(join(folder, `${name}.ext`), `subjectAltName=${names}\n`);
      const request = ['-sha256', '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`];
      openssl('req', ...newEllipticKey, ...request);
      const validity = dates ? ['-startdate', dates.from, '-enddate', dates.to] : ['-days', '30'];
      openssl(
        'ca',
        '-batch',
        '-notext',
        '-config',
        'ca.cnf',
        '-in',
        `${name}.csr`,
        '-out',
        `${name}.crt`,
        '-extfile',
        `${name}.ext`,
        ...validity,
      );
      return read(name);
    },
    /** A certificate that no authority signed. */
    selfSigned(name: string, names: string): Certificate {
      writeSelfSigned({ folder, name }, { subject: name, names });
      return read(name);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
