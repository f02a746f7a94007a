import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Arguments of `openssl req` for a key of an elliptic curve. */
export const newEllipticKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** A certificate that no authority signed. */
type SelfSigned = {
  /** The common name of its subject. */
  subject: string;
  /** Such as `DNS:a.test,IP:127.0.0.2`. */
  names?: string;
  newKey?: readonly string[];
};

/** Makes a certificate and its key (PEM) with `openssl`: `<name>.crt` and `<name>.key` of a folder. */
export function writeSelfSigned(
  { folder, name }: { folder: string; name: string },
  { subject, names, newKey = newEllipticKey }: SelfSigned,
): { keyFile: string; certFile: string } {
  const [keyFile, certFile] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)];
  const files = ['-keyout', keyFile, '-out', certFile];
  const extensions = names === undefined ? [] : ['-addext', `subjectAltName=${names}`];
  const stated = ['-sha256', '-days', '30', '-subj', `/CN=${subject}`, ...extensions];
  execFileSync('openssl', ['req', '-x509', ...newKey, ...files, ...stated], { stdio: 'pipe' });
  return { keyFile, certFile };
}
