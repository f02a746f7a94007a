import { JobError } from '@bindery/contract/jobErrors';
import { z } from 'zod';
import type { Engine, EngineRequest } from '../engine.ts';
import { askForAll, requestsOf, type Asked, type Reply } from '../service/askForAll.ts';
import { openService, type ServiceAnswer, type ServiceSettings } from '../service/service.ts';
import { errorOfStatus, parseJson, quotaUsedUp, unreadable } from '../service/serviceErrors.ts';
import { withoutControls } from '../service/taggedText.ts';
import { idOf, replyOfChat } from './chatReply.ts';
import { answerFormat, messagesOf, promptVersion } from './prompt.ts';

export const openaiUrl = 'https://api.openai.com/v1';

const requestLimits = { texts: 20, size: 6_000 };
const name = 'The language model';

const ErrorBody = z.object({
  error: z.object({ code: z.unknown(), type: z.unknown(), param: z.unknown() }).partial(),
});

/** The optional fields of a request, which some servers or models refuse. */
type Form = { response_format: object; temperature?: 0 };

/**
 * Makes an engine of a language model behind the chat completions of OpenAI, which many servers have.
 *
 * @param model  the texts of another one are other texts in the memory
 */
export function openOpenai({ outbound, url, key, model }: ServiceSettings & { model: string }): Engine {
  const ask = openService({ outbound, url }, name);
  let form: Form = { response_format: answerFormat, temperature: 0 };
  let isFormKnown = false;

  const complete = async (messages: object, signal: AbortSignal): Promise<ServiceAnswer> => {
    const send = (as: Form) =>
      ask({
        path: '/chat/completions',
        headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
        json: { model, messages, ...as },
        signal,
      });
    const answer = await send(form);
    isFormKnown ||= answer.status === 200;
    if (isFormKnown || !isRefusal(answer)) return answer;
    const other = simplerForm(form, answer);
    const again = await send(other);
    if (again.status !== 200) return answer;
    form = other;
    isFormKnown = true;
    return again;
  };

  return {
    name: 'openai',
    version: `${model} ${promptVersion}`,
    can: { instructions: true, glossary: true, formatting: true },
    batch: { texts: requestLimits.texts, characters: requestLimits.size },
    route: ({ source, target }) => (source === target ? undefined : [source, target]),
    async translate(texts, { signal, ...request }) {
      const requests = requestsOf(texts.map(withoutControls), requestLimits, (text) => text.length);
      return askForAll(
        requests,
        async (asked) => replyOf(await complete(messagesFor(asked, request), signal), asked),
        name,
      );
    },
    close: () => outbound.close(),
  };
}

function messagesFor(
  asked: readonly Asked[],
  { pair, instructions, terms = [] }: Omit<EngineRequest, 'signal'>,
) {
  const used = asked.flatMap(({ index }) => terms[index] ?? []);
  return messagesOf(
    asked.map((one) => ({ id: idOf(one), text: one.text })),
    {
      pair,
      terms: [...new Map(used.map((term) => [term.source, term])).values()],
      instructions,
    },
  );
}

const isRefusal = ({ status }: ServiceAnswer) => status === 400 || status === 422;

/** Some models take no temperature, and some servers no schema. */
function simplerForm(form: Form, { text }: ServiceAnswer): Form {
  const { param } = ErrorBody.safeParse(parseJson(text)).data?.error ?? {};
  return param === 'temperature'
    ? { response_format: form.response_format }
    : { ...form, response_format: { type: 'json_object' } };
}

function replyOf(answer: ServiceAnswer, asked: readonly Asked[]): Reply {
  const { status, text } = answer;
  if (isRefusal(answer) || status === 413)
    return { refused: 'The server of the language model refuses the text, which may be too long.' };
  const { code, type } = ErrorBody.safeParse(parseJson(text)).data?.error ?? {};
  if (status === 402 || code === 'insufficient_quota' || type === 'insufficient_quota')
    throw quotaUsedUp(name.toLowerCase());
  if (status === 404)
    throw new JobError('http_status', 'The server does not know the language model (status 404).', {
      class: 'invalid',
      action: 'Ask the operator to check BINDERY_OPENAI_URL and BINDERY_OPENAI_MODEL.',
    });
  if (status !== 200) throw errorOfStatus(answer, { name, variables: 'BINDERY_OPENAI' });
  const reply = replyOfChat(text, asked);
  if (!reply) throw unreadable(name.toLowerCase());
  return reply;
}
