export type StreamedEvent = { id: string; event: string; data: any }; // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it

/** Yields server-sent events; skips comments such as pings. */
export async function* readEvents(response: Response): AsyncGenerator<StreamedEvent, void> {
  let text = '';
  if (!response.body) return;
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const fields = text
        .slice(0, end)
        .split('\n')
        .filter((line) => !line.startsWith(':'));
      text = text.slice(end + 2);
      const field = (name: string) =>
        fields.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? '';
      if (fields.length > 0)
        yield { id: field('id'), event: field('event'), data: JSON.parse(field('data')) };
    }
  }
}
