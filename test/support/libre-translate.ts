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
  close(): Promise<void>;
}

const languages = [
  { code: 'en', name: 'English', targets: ['en', 'de'] },
  { code: 'de', name: 'German', targets: ['de', 'en'] },
];

export async function startTranslator(): Promise<TestTranslator> {
  const server = createServer(async (request, response) => {
    const { fault } = translator;
    if (fault !== undefined) return response.writeHead(fault.status).end(fault.body);
    if (request.url === '/languages') return response.end(JSON.stringify(languages));
    const body = (await json(request)) as Asked;
    translator.asked.push(body);
    const translatedText = body.q.map((text) => `${text} (${body.target})`);
    const detectedLanguage =
      body.source === 'auto' ? body.q.map(() => ({ language: 'de', confidence: 90 })) : undefined;
    return response.end(JSON.stringify({ translatedText, detectedLanguage }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const translator: TestTranslator = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    fault: undefined,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return translator;
}
