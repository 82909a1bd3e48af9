/** /api/docs: the API document as a web page, an entry for each operation, grouped by subject. */

import { type Html, html } from '../../services/words/html.ts';
import { siteAnswer } from '../pages/parts/frame.ts';
import type { Visit } from '../pages/visit.ts';
import type { ApiDocument, ApiOperation } from './api-document.ts';
import type { JsonSchema } from './json-schemas.ts';

interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: ApiOperation;
}

export function referencePage(visit: Visit, document: ApiDocument) {
  const groups = new Map<string, Entry[]>();
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations))
      for (const tag of operation.tags) groups.set(tag, [...(groups.get(tag) ?? []), { method, path, operation }]);
  const tags = [...groups.keys()].sort();
  const main = html`<section class="card plain reference" lang="en" dir="ltr">
<h1>${document.info.title}</h1>
<p>Version ${document.info.version}, as <a href="/api/openapi.json">an OpenAPI 3.1 document</a> for programs;
<a href="/api/docs/clients">pages for developers</a> say what it does not.</p>
<nav aria-label="Groups"><ul class="groups">${tags.map((tag) => html`<li><a href="#${tag}">${tag}</a></li>`)}</ul></nav>
${tags.map((tag) => group(tag, groups.get(tag)!))}
<h2 id="entities">entities</h2>
${Object.entries(document.components.schemas ?? {}).map(([name, schema]) => entity(name, schema as JsonSchema))}
</section>`;
  return siteAnswer(visit, { title: document.info.title, main, alone: true });
}

function group(tag: string, entries: readonly Entry[]): Html {
  return html`<h2 id="${tag}">${tag}</h2>${entries.map(entry)}`;
}

function entry({ method, path, operation }: Entry): Html {
  const { parameters = [], requestBody, security, responses, summary, deprecated } = operation;
  const fields = [...parameters.map(parameterRow), ...bodyRows(requestBody)];
  return html`<details><summary><code>${method.toUpperCase()} ${path}</code> ${summary}${deprecated && html` <em>Deprecated.</em>`}</summary>
<p>${whoMay(security)}</p>
${fields.length > 0 && html`<dl>${fields}</dl>`}
<p>Answers ${Object.entries(responses).map(([status, response], index) => html`${index > 0 && ', '}<code>${status}</code>${shapeOfAnswer(response)}`)}.</p>
</details>`;
}

function whoMay(security: ApiOperation['security']): string {
  const scopes = [...new Set(security.flatMap((one) => Object.values(one).flat()))];
  const whose = security.some((one) => 'application' in one) ? 'a token' : "a user's token";
  const words = scopes.length === 0 ? whose : `${whose} with ${scopes.join(' or ')}`;
  if (security.length === 0) return 'A token is not looked at.';
  return security.some((one) => Object.keys(one).length === 0)
    ? `Without a token, or with ${words}.`
    : `With ${words}.`;
}

function parameterRow({ name, in: place, required, schema }: JsonSchema): Html {
  return row(`${name}`, schema as JsonSchema, `${place}${required === true ? ', required' : ''}`);
}

function bodyRows(body: JsonSchema | undefined): Html[] {
  if (body === undefined) return [];
  const [content] = Object.values(body.content as Record<string, { schema: JsonSchema }>);
  const { properties = {}, required = [] } = content!.schema as { properties?: object; required?: string[] };
  return Object.entries(properties).map(([name, schema]) =>
    row(name, schema as JsonSchema, required.includes(name) ? 'required' : ''),
  );
}

function row(name: string, schema: JsonSchema, note: string): Html {
  return html`<div><dt><code>${name}</code></dt><dd>${shape(schema)}${note !== '' && html`, ${note}`}</dd></div>`;
}

function shapeOfAnswer(response: JsonSchema): Html | false {
  const [content] = Object.values((response.content ?? {}) as Record<string, { schema: JsonSchema }>);
  return content !== undefined && html` (${shape(content.schema)})`;
}

function entity(name: string, schema: JsonSchema): Html {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  return html`<details id="${name}"><summary><code>${name}</code></summary>
${properties.length === 0 ? html`<p>${shape(schema)}</p>` : html`<dl>${properties.map(([field, one]) => row(field, one, ''))}</dl>`}</details>`;
}

/** A schema in a few words, with links to its entities. */
function shape(schema: JsonSchema): Html {
  const { $ref, type, items, enum: words, anyOf, oneOf, const: constant } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    return html`<a href="#${name}">${name}</a>`;
  }
  const choices = (anyOf ?? oneOf) as JsonSchema[] | undefined;
  if (choices !== undefined) return html`${choices.map((one, index) => html`${index > 0 && ' or '}${shape(one)}`)}`;
  if (Array.isArray(words))
    return html`${words.map((word, index) => html`${index > 0 && ' | '}<code>${String(word)}</code>`)}`;
  if (constant !== undefined) return html`<code>${String(constant)}</code>`;
  if (type === 'array') return items === undefined ? html`list` : html`list of ${shape(items as JsonSchema)}`;
  return html`${typeof type === 'string' ? type : 'anything'}`;
}
