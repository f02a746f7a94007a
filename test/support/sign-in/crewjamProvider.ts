import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { provideSamlIdp } from '../go/samlIdp.ts';
import {
  goodSettings,
  idpUser,
  makeKeys,
  type IdentityProvider,
  type IdpAnswer,
} from './identityProvider.ts';

const { program, missing } = await provideSamlIdp();

/** Why there is no provider over crewjam/saml here. */
export const crewjamMissing = missing;

/**
 * Starts a provider over crewjam/saml, which signs and writes XML otherwise than `samlp`, and knows this
 * platform by its metadata.
 *
 * @param recipient  the ACS URL in its settings
 */
export async function startCrewjamProvider(recipient: string, keys = makeKeys()): Promise<IdentityProvider> {
  const settings = goodSettings(recipient);
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  child.stdin.write(`${JSON.stringify(keys)}\n`);
  const [port] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended.then(([code]) => Promise.reject(new Error(`The identity provider ended (${code}).`))),
  ])) as [string];
  return {
    ssoUrl: `http://127.0.0.1:${port}/sso`,
    keys,
    settings,
    user: idpUser,
    async answer(requestUrl, changes = {}, user = idpUser) {
      const body = JSON.stringify({ settings: { ...settings, ...changes }, user });
      const response = await fetch(requestUrl, { method: 'POST', body });
      if (!response.ok)
        throw new Error(`The identity provider answered ${response.status}: ${await response.text()}`);
      return (await response.json()) as IdpAnswer;
    },
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
