/** The user and the organization for new content. */
export type Caller = { apiUrl: string; token: string; organizationId: string };

/**
 * Sends a request that makes demo content.
 *
 * @param key  its idempotency key: an interrupted start repeats its requests, and makes nothing twice
 * @returns the new object's id, empty where the answer has no body, and the id of the job that makes the rest
 * @throws Error with the API's answer when it refuses the request
 */
export async function callForDemo(
  { apiUrl, token }: Caller,
  { method, path, body, key }: { method: string; path: string; body: object; key: string },
): Promise<{ id: string; job: string | undefined }> {
  const response = await fetch(`${apiUrl}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  });
  const answer = await response.text();
  if (!response.ok)
    throw new Error(
      `The demo content could not be created: ${method} ${path} answered ${response.status} ${answer}`,
    );
  const { id } = (answer === '' ? { id: '' } : JSON.parse(answer)) as { id: string };
  return { id, job: response.headers.get('x-job-id') ?? undefined };
}
