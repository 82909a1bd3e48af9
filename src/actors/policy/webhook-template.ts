/**
 * Bodies of webhooks in another form (behaviour of the Mastodon API): a text in which `{{object.account.username}}` stands
 * for a value of what would be sent otherwise. A text value is written as inside the quotes of JSON, so that it can be part of
 * a longer text; anything else as JSON. Pure.
 */
const expression = /\{\{([a-z_]+(?:\.(?:[a-z_]+|[0-9]+))*)\}\}/g;

export const templateLimits = {
  charactersMax: 10_000,
  /** Of what is made of it: names of large objects may stand in it many times. */
  renderedCharactersMax: 1_000_000,
} as const;

export function isTemplate(text: string): boolean {
  return !text.replace(expression, ' ').includes('{{');
}

/** Undefined where the result is too long. */
export function renderTemplate(template: string, document: unknown): string | undefined {
  const parts: string[] = [];
  let length = 0;
  let from = 0;
  const add = (part: string) => {
    parts.push(part);
    length += part.length;
  };
  for (const found of template.matchAll(expression)) {
    add(template.slice(from, found.index));
    add(textOf(valueAt(document, found[1]!.split('.'))));
    if (length > templateLimits.renderedCharactersMax) return undefined;
    from = found.index + found[0].length;
  }
  add(template.slice(from));
  return parts.join('');
}

/** Null for what is not there. */
function valueAt(document: unknown, path: readonly string[]): unknown {
  let value = document;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

function textOf(value: unknown): string {
  const json = JSON.stringify(value);
  return typeof value === 'string' ? json.slice(1, -1) : json;
}
