import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A certificate for a name, and the authority that signed it, which no system knows. */
export interface TestCertificate {
  readonly key: Buffer;
  readonly cert: Buffer;
  /** File with the authority's certificate, as `NODE_EXTRA_CA_CERTS` takes it. */
  readonly authority: string;
}

const NEW_KEY = ['-newkey', 'rsa:2048', '-nodes', '-sha256'];

/** Made by `openssl`, which must be there: Node makes keys, but no certificates. */
export function certificateFor(name: string, folder: string): TestCertificate {
  const at = (file: string): string => join(folder, file);
  const openssl = (...args: readonly string[]): void => {
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  };
  const authority = ['-subj', '/CN=Test authority', '-days', '2', '-keyout', 'ca.key', '-out', 'ca.pem'];
  openssl('req', '-x509', ...NEW_KEY, ...authority);
  openssl('req', ...NEW_KEY, '-subj', `/CN=${name}`, '-keyout', 'server.key', '-out', 'server.csr');
  writeFileSync(at('names'), `subjectAltName=DNS:${name}\n`);
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names', '-days', '2'];
  openssl('x509', '-req', '-sha256', '-in', 'server.csr', ...signed, '-out', 'server.pem');
  return {
    key: readFileSync(at('server.key')),
    cert: readFileSync(at('server.pem')),
    authority: at('ca.pem'),
  };
}
