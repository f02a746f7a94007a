import { z } from 'zod';
import { faulty, startTestService, type Response, type TestService } from './testService.ts';
import { transliterated } from './transliterated.ts';

export const chatKey = 'sk-secret-0123456789';
export const chatModel = 'test-model-1';

const Schema = z.strictObject({
  type: z.literal('json_schema'),
  json_schema: z.strictObject({
    name: z.string(),
    strict: z.literal(true),
    schema: z.looseObject({ type: z.literal('object'), additionalProperties: z.literal(false) }),
  }),
});

const Body = z.strictObject({
  model: z.literal(chatModel),
  messages: z.tuple([
    z.strictObject({ role: z.literal('system'), content: z.string() }),
    z.strictObject({ role: z.literal('user'), content: z.string() }),
  ]),
  response_format: z.union([Schema, z.strictObject({ type: z.literal('json_object') })]),
  temperature: z.literal(0).optional(),
});

const Message = z.strictObject({ items: z.array(z.strictObject({ id: z.string(), text: z.string() })) });

/** Texts with these words make the model refuse, or fill its context. */
export const triggers = { refusal: 'FORBIDDEN', length: 'ENDLESS' };

type Abilities = { schema?: boolean; temperature?: boolean };

const failed = (status: number, error: object): Response => ({ status, json: { error } });

/**
 * Starts a service with the chat completions of OpenAI. Faults change the ids and texts of the answer, one
 * `id text` each.
 */
export function startChatService({
  schema = true,
  temperature = true,
}: Abilities = {}): Promise<TestService> {
  return startTestService((call, takeFault): Response => {
    if (call.method !== 'POST' || call.path !== '/chat/completions')
      return failed(404, { code: 'not_found' });
    if (call.headers.authorization !== `Bearer ${chatKey}`) return failed(401, { code: 'invalid_api_key' });
    const { data } = Body.safeParse(JSON.parse(call.body));
    if (!data) return failed(400, { param: 'messages', message: 'Invalid request.' });
    if (!schema && data.response_format.type === 'json_schema')
      return failed(400, { param: 'response_format', message: 'Not supported.' });
    if (!temperature && data.temperature !== undefined)
      return failed(400, { param: 'temperature', message: 'Not supported.' });
    const [system, user] = data.messages;
    const { items } = Message.parse(JSON.parse(user.content));
    const language = /\((\w+(?:-\w+)?)\)\.\n/.exec(system.content)?.[1] ?? '';
    if (items.some(({ text }) => text.includes(triggers.length)))
      return completion('{"items": [{"id', 'length');
    if (items.some(({ text }) => text.includes(triggers.refusal)))
      return completion(null, 'stop', 'I cannot help with that.');
    const answers = faulty(
      takeFault(),
      items.map(({ id, text }) => `${id} ${transliterated(text, language)}`),
    );
    if (!Array.isArray(answers)) return answers;
    const written = answers.map((answer) => ({ id: answer.slice(0, 8), text: answer.slice(9) }));
    const json = JSON.stringify({ items: written });
    return completion(schema ? json : `\`\`\`json\n${json}\n\`\`\``, 'stop');
  });
}

function completion(content: string | null, reason: string, refusal: string | null = null): Response {
  const message = { role: 'assistant', content, refusal };
  return { status: 200, json: { choices: [{ index: 0, message, finish_reason: reason }] } };
}
