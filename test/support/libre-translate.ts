/** A small server with the protocol of LibreTranslate: English and German, in both directions. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface Asked {
  readonly q: readonly string[];
  readonly source: string;
  readonly target: string;
  readonly format: string;
  readonly api_key?: string;
}

export interface TestTranslator {
  readonly origin: string;
  /** The requested translations. */
  readonly asked: Asked[];
  /** The error to answer with instead. */
  fault: { readonly status: number; readonly body: string } | undefined;
  /** The answer to `/languages`. */
  languages: readonly { readonly code: string; readonly targets?: readonly string[] }[];
  /** Takes requests, and answers none. */
  isSilent: boolean;
  close(): Promise<void>;
}

export async function startTranslator(): Promise<TestTranslator> {
  const server = createServer(async (request, response) => {
    const { fault, languages, isSilent } = translator;
    if (isSilent) return;
    if (fault !== undefined) return void response.writeHead(fault.status).end(fault.body);
    if (request.url === '/languages') return void response.end(JSON.stringify(languages));
    const body = (await json(request)) as Asked;
    translator.asked.push(body);
    const translatedText = body.q.map((text) => `${text} (${body.target})`);
    const detectedLanguage =
      body.source === 'auto' ? body.q.map(() => ({ language: 'de', confidence: 90 })) : undefined;
    response.end(JSON.stringify({ translatedText, detectedLanguage }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const translator: TestTranslator = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    fault: undefined,
    languages: [
      { code: 'en', targets: ['en', 'de'] },
      { code: 'de', targets: ['de', 'en'] },
    ],
    isSilent: false,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return translator;
}
