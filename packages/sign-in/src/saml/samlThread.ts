import { answerRequests } from '@bindery/runtime/threads';
import { SAML } from '@node-saml/node-saml';
import { configOf, readResponse } from './readResponse.ts';
import type { SamlAnswer, SamlRequest } from './samlMessages.ts';

answerRequests(async (request: SamlRequest): Promise<SamlAnswer> => {
  const { service } = request;
  if (request.kind === 'response') return readResponse(request.response, request);
  const nobody = { entityId: '', ssoUrl: 'https://idp.invalid', certificate: 'none' };
  if (request.kind === 'metadata') {
    const saml = new SAML(configOf(service, nobody));
    return { text: saml.generateServiceProviderMetadata(null) };
  }
  const saml = new SAML({ ...configOf(service, request.issuer), generateUniqueId: () => request.id });
  return { text: await saml.getAuthorizeUrlAsync('', undefined, {}) };
});
