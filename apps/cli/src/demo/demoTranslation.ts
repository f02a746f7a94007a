import { callForDemo, type Caller } from './callForDemo.ts';

/**
 * Has a space of the demo translated into Spanish. The run waits for its worker, which may start later than
 * the API.
 *
 * @returns the id of the translation
 * @throws Error when the API refuses it, such as because no engine can do the languages
 */
export async function translateDemoSpace(caller: Caller, space: string): Promise<string> {
  const { id } = await callForDemo(caller, {
    method: 'POST',
    path: `/orgs/${caller.organizationId}/translations`,
    body: { language: 'es', source: { space, language: 'en' } },
    key: 'demo-translation',
  });
  return id;
}
