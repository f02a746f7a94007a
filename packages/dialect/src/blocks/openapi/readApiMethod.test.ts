import { describe, expect, it } from 'vitest';
import { documentJudge } from '../../../../../test/support/documentProblems.ts';
import { documentToMarkdown } from '../../document/documentToMarkdown.ts';
import { markdownToDocument } from '../../document/markdownToDocument.ts';

const problemsOf = documentJudge();

/** Reads the tags and writes them as current Markdown. */
function readAs(markdown: string): string {
  const document = markdownToDocument(markdown);
  expect(problemsOf(document)).toBeUndefined();
  return documentToMarkdown(document);
}

const swagger = `Before.

{% swagger method="get" path="/cakes/:id" baseUrl="https://api.example.org/v1" summary="Get a cake" %}
{% swagger-description %}
One **cake**.

* by its id
{% endswagger-description %}

{% swagger-parameter in="path" name="id" type="string" required="true" %}
Of the cake
{% endswagger-parameter %}

{% swagger-parameter in="query" name="fields\\_of" type="String[]" required="false" %}

{% endswagger-parameter %}

{% swagger-parameter in="path" name="size" %}
Of a piece
{% endswagger-parameter %}

{% swagger-response status="200: OK" description="Here it is." %}
\`\`\`json
{ "name": "Plum cake" }
\`\`\`
{% endswagger-response %}

{% swagger-response status="404: Not Found" description="No such cake" %}

{% endswagger-response %}
{% endswagger %}

After.
`;

const today = `Before.

### Get a cake

\`\`\`http
GET https://api.example.org/v1/cakes/:id
\`\`\`

One **cake**.

* by its id

**Path parameters**

* \`id\` string, required

  Of the cake
* \`size\`

  Of a piece

**Query parameters**

* \`fields_of\` String\\[]

{% tabs %}
{% tab title="200: OK" %}
Here it is.

\`\`\`json
{ "name": "Plum cake" }
\`\`\`
{% endtab %}

{% tab title="404: Not Found" %}
No such cake
{% endtab %}
{% endtabs %}

After.`;

const apiMethod = `{% api-method method="post" host="\\[Platform\\]/v1/" path="cakes" %}
{% api-method-summary %}
Bake
{% endapi-method-summary %}

{% api-method-description %}
Bakes.
{% endapi-method-description %}

{% api-method-spec %}
{% api-method-request %}
{% api-method-headers %}
{% api-method-parameter name="X-Oven" type="integer" required=true %}
Degrees
{% endapi-method-parameter %}
{% endapi-method-headers %}

{% api-method-form-data-parameters %}
{% api-method-parameter name="flour" required=false %}

{% endapi-method-parameter %}
{% endapi-method-form-data-parameters %}
{% endapi-method-request %}

{% api-method-response %}
{% api-method-response-example httpCode=201 %}
{% api-method-response-example-description %}
Baked.
{% endapi-method-response-example-description %}

\`\`\`
done
\`\`\`
{% endapi-method-response-example %}
{% endapi-method-response %}
{% endapi-method-spec %}
{% endapi-method %}`;

describe('a method of an API without a specification', () => {
  it('becomes a heading, its request as code, its parameters and its responses', () => {
    expect(readAs(swagger).trim()).toBe(today);
  });

  it('may have the older form', () => {
    const read = readAs(apiMethod);
    expect(read).not.toContain('api-method');
    expect(read).toContain('### Bake\n\n```http\nPOST [Platform]/v1/cakes\n```\n\nBakes.\n');
    expect(read).toContain(
      '**Headers**\n\n* `X-Oven` integer, required\n\n  Degrees\n\n**Form data**\n\n* `flour`\n',
    );
    expect(read).toContain('{% tab title="201" %}\nBaked.\n\n```\ndone\n```\n{% endtab %}');
  });

  it('is read where some of its blocks are not allowed, and with few details', () => {
    for (const text of [
      `{% tabs %}\n{% tab title="A" %}\n${swagger}\n{% endtab %}\n{% endtabs %}`,
      `{% hint %}\n${swagger}\n{% endhint %}`,
      `> * ${swagger.replaceAll('\n', '\n>   ')}`,
      '{% swagger method="get" %}\n{% endswagger %}',
      '{% swagger path="/a" %}\nIn between.\n{% endswagger %}',
    ])
      expect(readAs(text)).not.toMatch(/\{% (?:end)?swagger/);
  });

  it('is text without a request', () => {
    expect(readAs('{% swagger summary="A" %}\na\n{% endswagger %}')).toContain('swagger summary="A"');
  });
});
