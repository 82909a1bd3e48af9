/** A client of LibreTranslate (https://docs.libretranslate.com), and of servers with the same protocol. */
import { Agent } from 'undici';
import { z } from 'zod';
import { Failure } from '../../runtime/errors.ts';
import type {
  TranslatedTexts,
  TranslationLanguages,
  TranslationRequest,
  Translator,
} from '../../services/translator.ts';

export const translationLimits = {
  answerBytesMax: 1_048_576,
  timeoutMilliseconds: 15_000,
  connectionsMax: 4,
  /** Running requests, and those that wait for a connection. */
  requestsMax: 64,
} as const;

const Languages = z.array(z.object({ code: z.string(), targets: z.array(z.string()).optional() }));
const Translated = z.object({
  translatedText: z.array(z.string()),
  detectedLanguage: z
    .union([z.object({ language: z.string() }), z.array(z.object({ language: z.string() }))])
    .optional(),
});

interface LibreTranslateOptions {
  readonly origin: string;
  readonly key: string | undefined;
  /** Of each request. */
  readonly timeoutMilliseconds?: number;
}

export class LibreTranslate implements Translator {
  private readonly origin: string;
  private readonly key: string | undefined;
  private readonly agent = new Agent({ connections: translationLimits.connectionsMax, pipelining: 1 });
  private readonly timeoutMilliseconds: number;
  private running = 0;

  constructor({ origin, key, timeoutMilliseconds = translationLimits.timeoutMilliseconds }: LibreTranslateOptions) {
    this.origin = origin;
    this.key = key;
    this.timeoutMilliseconds = timeoutMilliseconds;
  }

  async languages(): Promise<TranslationLanguages> {
    const known = understood(Languages, await this.ask('GET', '/languages'));
    const codes = known.map(({ code }) => code);
    // Older servers translate every language into every other, without listing that.
    return new Map(known.map(({ code, targets }) => [code, (targets ?? codes).filter((target) => target !== code)]));
  }

  async translate({ texts, isHtml, source, target }: TranslationRequest): Promise<TranslatedTexts> {
    const answer = understood(
      Translated,
      await this.ask('POST', '/translate', {
        q: texts,
        source: source ?? 'auto',
        target,
        format: isHtml ? 'html' : 'text',
        ...(this.key !== undefined && { api_key: this.key }),
      }),
    );
    if (answer.translatedText.length !== texts.length) throw unreachable('another number of texts came back');
    const [detected] = [answer.detectedLanguage ?? []].flat();
    return { texts: answer.translatedText, detectedSource: detected?.language };
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }

  private async ask(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    if (this.running >= translationLimits.requestsMax) throw new Failure('overloaded');
    this.running += 1;
    try {
      const response = await this.agent.request({
        origin: this.origin,
        path,
        method,
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(this.timeoutMilliseconds),
      });
      const text = await readUpTo(response.body, translationLimits.answerBytesMax);
      if (response.statusCode !== 200) throw unreachable(`status ${response.statusCode}`);
      return JSON.parse(text);
    } catch (error) {
      throw error instanceof Failure ? error : unreachable(error);
    } finally {
      this.running -= 1;
    }
  }
}

async function readUpTo(body: AsyncIterable<Buffer>, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw unreachable('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function understood<Answer>(schema: z.ZodType<Answer>, answer: unknown): Answer {
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw unreachable(parsed.error);
  return parsed.data;
}

function unreachable(cause: unknown): Failure {
  return new Failure('remoteUnreachable', { cause });
}
