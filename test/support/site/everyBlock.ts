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
