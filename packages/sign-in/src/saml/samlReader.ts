import { createPersistentThread } from '@bindery/runtime/threads';
import { maxResponseLength } from './limits.ts';
import type {
  SamlAnswer,
  SamlIssuer,
  SamlProblem,
  SamlRequest,
  SamlService,
  VerifiedResponse,
} from './samlMessages.ts';

const limitMs = 2_000;
const mostWaiting = 50;
const resourceLimits = { maxOldGenerationSizeMb: 128, stackSizeMb: 4 };

/** Speaks SAML 2.0 with identity providers, on a thread, which starts with the first use. */
export type SamlReader = {
  /**
   * The URL that sends a browser to a provider with a request.
   *
   * @param id  of the request; the response names it
   */
  requestUrl(service: SamlService, issuer: SamlIssuer, id: string): Promise<string>;
  /** Describes this platform for the set-up of a provider, as XML. */
  metadata(service: SamlService): Promise<string>;
  /** Verifies the form field `SAMLResponse`, see readResponse. */
  read(
    response: string,
    parties: { service: SamlService; issuer: SamlIssuer },
  ): Promise<{ person: VerifiedResponse } | { problem: SamlProblem }>;
  close(): Promise<void>;
};

export function createSamlReader(): SamlReader {
  const thread = createPersistentThread<SamlRequest, SamlAnswer>(new URL('samlThread.ts', import.meta.url), {
    resourceLimits,
  });
  const textOf = async (request: SamlRequest) => {
    const answer = (await thread.ask(request, limitMs))?.answer;
    if (!answer || !('text' in answer)) throw new Error('The thread for SAML did not answer.');
    return answer.text;
  };
  return {
    requestUrl: async (service, issuer, id) => textOf({ kind: 'request', service, issuer, id }),
    metadata: async (service) => textOf({ kind: 'metadata', service }),
    async read(response, parties) {
      if (response.length > maxResponseLength) return { problem: 'too_large' };
      if (thread.waiting >= mostWaiting) return { problem: 'busy' };
      const answer = (await thread.ask({ kind: 'response', response, ...parties }, limitMs))?.answer;
      // Without an answer, the text made the parser exceed its limits.
      return answer && !('text' in answer) ? answer : { problem: 'invalid' };
    },
    close: async () => thread.close(),
  };
}
