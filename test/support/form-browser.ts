/** A browser with forms, cookies and redirects only: visits server-rendered pages over real HTTP. */

export interface Page {
  readonly url: URL;
  readonly status: number;
  readonly html: string;
}

export interface FormBrowser {
  /** By name, of all pages visited so far. */
  readonly cookies: ReadonlyMap<string, string>;
  open(url: string): Promise<Page>;
  /** Fills in the first form whose action contains `action`, and submits it. */
  submit(page: Page, action: string, values: Readonly<Record<string, string>>): Promise<Page>;
}

const redirectsMax = 10;

/** Does not follow redirects for which `stopAt` is true: an application would receive them. */
export function createFormBrowser(stopAt?: (url: URL) => boolean): FormBrowser {
  const cookies = new Map<string, string>();

  async function load(url: URL, options: RequestInit, redirects = 0): Promise<Page> {
    if (redirects > redirectsMax) throw new Error(`too many redirects at ${url}`);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, {
      ...options,
      redirect: 'manual',
      headers: { cookie, accept: 'text/html', ...(options.headers as object) },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [pair] = line.split(';', 1);
      const [name, ...value] = pair!.split('=');
      cookies.set(name!, value.join('='));
    }
    const location = answer.headers.get('location');
    if (location === null) return { url, status: answer.status, html: await answer.text() };
    const next = new URL(location, url);
    if (stopAt?.(next)) return { url: next, status: answer.status, html: '' };
    return load(next, { method: 'GET' }, redirects + 1);
  }

  return {
    cookies,
    open: (url) => load(new URL(url), { method: 'GET' }),
    submit(page, action, values) {
      const form = [...page.html.matchAll(/<form[^>]*>[\s\S]*?<\/form>/g)]
        .map(([text]) => text)
        .find((text) => actionOf(text).includes(action));
      if (form === undefined) throw new Error(`no form for ${action} on ${page.url}:\n${page.html}`);
      const fields = new URLSearchParams();
      for (const [input] of form.matchAll(/<input[^>]*>/g)) {
        const name = attribute(input, 'name');
        if (name !== undefined && attribute(input, 'type') === 'hidden')
          fields.set(name, attribute(input, 'value') ?? '');
      }
      for (const [name, value] of Object.entries(values)) fields.set(name, value);
      return load(new URL(actionOf(form) || page.url, page.url), { method: 'POST', body: fields });
    },
  };
}

function actionOf(form: string): string {
  return attribute(form.slice(0, form.indexOf('>') + 1), 'action') ?? '';
}

function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return found
    ?.replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
