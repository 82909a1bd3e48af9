/** Requests to a collector of traces by OTLP/HTTP (specification of OTLP 1.5, section "OTLP/HTTP"), with bodies in JSON. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Agent } from 'undici';
import { z } from 'zod';
import type { ExportAnswer } from './span-export.ts';

const requestMilliseconds = 10_000;
const answerBytesMax = 65_536;
/** Worth trying again (section "Retryable Response Codes"). */
const temporaryStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

const compressed = promisify(gzip);
/** The quickest: spans resemble each other so much that the best saves little more. */
const compression = { level: 1 };

/** Numbers of 64 bits are text, but not every collector writes them so. */
const Accepted = z.object({
  partialSuccess: z.object({ rejectedSpans: z.coerce.number().int().nonnegative().optional() }).optional(),
});

export class Collector {
  private readonly url: string;
  private readonly headers: Readonly<Record<string, string>>;
  private readonly agent = new Agent({ connections: 1, pipelining: 1 });

  /** `endpoint`: without the path of traces. */
  constructor(endpoint: string, headers: Readonly<Record<string, string>>) {
    this.url = `${endpoint}/v1/traces`;
    this.headers = headers;
  }

  /** Never rejects. */
  async post(body: string): Promise<ExportAnswer> {
    try {
      const { origin, pathname, search } = new URL(this.url);
      const response = await this.agent.request({
        origin,
        path: pathname + search,
        method: 'POST',
        headers: { ...this.headers, 'content-type': 'application/json', 'content-encoding': 'gzip' },
        body: await compressed(body, compression),
        signal: AbortSignal.timeout(requestMilliseconds),
      });
      const text = await readUpTo(response.body, answerBytesMax);
      const { statusCode: status, headers } = response;
      if (status >= 200 && status < 300) return { kind: 'taken', rejected: rejectedIn(text) };
      if (!temporaryStatuses.has(status)) return { kind: 'refused', reason: `it answers ${status}` };
      const seconds = Number(headers['retry-after']);
      return { kind: 'later', reason: `it answers ${status}`, seconds: seconds > 0 ? seconds : undefined };
    } catch (error) {
      return { kind: 'later', reason: reasonOf(error) };
    }
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }
}

/** An answer that is not understood has taken everything. */
function rejectedIn(text: string): number {
  try {
    return Accepted.safeParse(JSON.parse(text)).data?.partialSuccess?.rejectedSpans ?? 0;
  } catch (error) {
    if (error instanceof SyntaxError) return 0;
    throw error;
  }
}

/** The code says more than the message, and never repeats a header. */
function reasonOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return `no answer (${String(code ?? name)})`;
}

async function readUpTo(body: AsyncIterable<Buffer>, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes <= bytesMax) chunks.push(chunk);
    else break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
