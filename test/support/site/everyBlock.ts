/**
 * A page with every block that looks different on a screen, and with texts that are hard to lay out.
 */
export const everyBlock = `# Every block

A paragraph with **bold**, _italic_, ~~struck~~, \`code\`, <kbd>Ctrl</kbd>, a [link](https://example.org/), and $$a^2$$.

## Lists

- One
  - Two
- [x] Done
- [ ] Open

1. First
2. Second

> A quote

{% hint style="info" %}
An info.
{% endhint %}

{% hint style="warning" %}
A warning.
{% endhint %}

{% hint style="danger" %}
A danger.
{% endhint %}

{% hint style="success" %}
A success.
{% endhint %}

## Code

{% code title="server.ts" lineNumbers="true" %}
\`\`\`ts
export const answer = (name: string): string => \`Hello, \${name}\`; // a comment that makes this line scroll
\`\`\`
{% endcode %}

{% tabs %}
{% tab title="Linux" %}
Use apt.
{% endtab %}
{% tab title="macOS" %}
Use brew.
{% endtab %}
{% endtabs %}

{% stepper %}
{% step %}
### Install
It takes a minute.
{% endstep %}
{% step %}
### Start
It takes a second.
{% endstep %}
{% endstepper %}

<details>
<summary>More</summary>

Hidden text.

</details>

## Tables

| Name | Type | Default | Description | Since | Unit | Another column |
| --- | --- | --- | --- | --- | --- | --- |
| \`averyveryverylongvariablename\` | number | 100 | What it does in many words | 1.0 | seconds | x |

<table data-view="cards"><thead><tr><th>Title</th><th>Text</th></tr></thead><tbody><tr><td>One</td><td>First card</td></tr><tr><td>Two</td><td>Second card</td></tr></tbody></table>

{% columns %}
{% column width="33%" %}
Left
{% endcolumn %}
{% column width="67%" %}
Right
{% endcolumn %}
{% endcolumns %}

$$
\\sum_{i=0}^{n} x_i
$$

Averyveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryverylongwordwithoutanyspace

### 日本語の見出し

日本語の文章です。

***

The end.[^1]

[^1]: A note.
`;

const specBlock = (name: string, attributes: string) =>
  `{% openapi-${name} spec="pets" ${attributes} %}\n{% endopenapi-${name} %}`;

/**
 * The blocks that need more than their page: the files `picture` and `drawing`, the page at `second.md` and
 * the specification `pets`.
 */
export const linkedBlocks = `# Linked blocks

<figure><img src="/files/picture" alt="A square"><figcaption>A figure</figcaption></figure>

<figure><img src="/files/drawing" class="gitbook-drawing"></figure>

{% file src="/files/picture" %}
A file
{% endfile %}

{% embed url="https://example.org/video" %}

{% content-ref url="second.md" %}
[Second](second.md)
{% endcontent-ref %}

<a href="https://example.org/" class="button primary">Start</a>

{% prompt description="Ask a model" %}
\`\`\`
Explain this page.
\`\`\`
{% endprompt %}

{% updates format="full" %}
{% update date="2026-01-31" tags="fixed,new" %}
## Version 2

#### Small changes

It is here.
{% endupdate %}
{% endupdates %}

{% if true %}
A condition.
{% endif %}

${specBlock('operation', 'path="/pets" method="get"')}

${specBlock('webhook', 'name="born" method="post"')}

${specBlock('schemas', 'schemas="Pet"')}

{% swagger src="https://example.org/openapi.json" path="/old" method="get" %}
{% endswagger %}
`;
