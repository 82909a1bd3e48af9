/** Requests of clients: a channel in the query of the address, or messages on a WebSocket. */
import { z } from 'zod';
import { channelParameters, type GivenParameters } from './channels.ts';

export interface AskedChannel {
  readonly stream: string;
  readonly parameters: GivenParameters;
  /** The id of the last event that the client has received. */
  readonly since: string | undefined;
}

/** Some clients send null for absent values. */
const givenText = z
  .string()
  .nullish()
  .transform((text) => text ?? undefined);

const parameterNames = channelParameters.map(({ name }) => name);

const ClientMessage = z.object({
  type: z.enum(['subscribe', 'unsubscribe']),
  stream: z.string(),
  since: givenText,
  ...Object.fromEntries(parameterNames.map((name) => [name, givenText])),
});

interface ReadMessage extends AskedChannel {
  readonly type: 'subscribe' | 'unsubscribe';
  /** A member that means nothing here. */
  readonly unknown: string | undefined;
}

export function readClientMessage(message: ArrayBuffer): ReadMessage | undefined {
  try {
    const given: unknown = JSON.parse(Buffer.from(message).toString('utf8'));
    const parsed = ClientMessage.safeParse(given);
    if (!parsed.success) return undefined;
    const { type, stream, since, ...parameters } = parsed.data;
    return { type, stream, since, parameters, unknown: unknownMember(given as object) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function unknownMember(given: object): string | undefined {
  return Object.entries(given).find(
    ([name, value]) => value !== null && !Object.hasOwn(ClientMessage.shape, name),
  )?.[0];
}

/** The channel in the address itself, if any. */
export function channelInQuery(query: URLSearchParams): AskedChannel | undefined {
  const stream = query.get('stream');
  if (stream === null) return undefined;
  const parameters = Object.fromEntries(parameterNames.map((name) => [name, query.get(name) ?? undefined]));
  return { stream, parameters, since: query.get('since') ?? undefined };
}
