/** What the command line asks of a server, and how it answers: plain data, one JSON line each. */
import { z } from 'zod';
import { Summary } from '../metrics/summary.ts';

/** `command` are the words of a command, `input` what its operation takes. */
export const AdminRequest = z.object({ command: z.string(), input: z.unknown() });
export type AdminRequest = z.infer<typeof AdminRequest>;

/** Input of `status`. With `live` what is measured comes as well, for whoever asks again and again. */
export const StatusInput = z.object({ live: z.boolean() });
/** Input of `repartition`. */
export const RepartitionInput = z.object({ partitions: z.number() });
/** Input of `poison lift`: the beginning of a digest, or `all`. */
export const PoisonInput = z.object({ named: z.string().regex(/^(all|[0-9a-f]{12,64})$/) });

export const AdminAnswer = z.discriminatedUnion('ok', [
  /** What the command prints. */
  z.object({ ok: z.literal(true), lines: z.array(z.string()), summary: Summary.optional() }),
  /** Why it was refused, in a sentence. */
  z.object({ ok: z.literal(false), sentence: z.string() }),
]);
export type AdminAnswer = z.infer<typeof AdminAnswer>;
