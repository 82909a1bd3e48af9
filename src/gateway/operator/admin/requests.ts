/** Requests of the command line to a server, and their answers: plain data, one JSON line each. */
import { z } from 'zod';
import { Health } from '../health/health.ts';
import { MachineSample } from '../machine/sample.ts';
import { Summary } from '../metrics/summary.ts';

/** `command` is the words of a command, `input` the input of its operation. */
export const AdminRequest = z.object({ command: z.string(), input: z.unknown() });
export type AdminRequest = z.infer<typeof AdminRequest>;

/** Input of `status`. `live` includes metrics, for repeated requests. */
export const StatusInput = z.object({ live: z.boolean() });
/** What `top` shows: the whole terminal, until it is ended, or the state of one moment. */
export const TopInput = z.object({ once: z.boolean(), json: z.boolean() });
/** Input of `repartition`. */
export const RepartitionInput = z.object({ partitions: z.number() });
/** Input of `cluster init`. */
export const ClusterInitInput = z.object({ replace: z.boolean() });
/** Input of `cluster repair`. */
export const ClusterRepairInput = z.object({
  /** With how many copies what the command has said is done. */
  copies: z.int().min(1).optional(),
  /** The name of a noted copy whose machine is gone. */
  forget: z.string().optional(),
});
/** Input of `backup`. */
export const BackupInput = z.object({
  place: z.string(),
  keep: z.number().optional(),
  /** Megabytes a second. */
  rate: z.number().optional(),
  media: z.boolean(),
  json: z.boolean(),
});
/** Input of `restore`. */
export const RestoreInput = z.object({
  place: z.string(),
  folder: z.string(),
  name: z.string().optional(),
  origin: z.string().optional(),
});
/** Input of `storage`. */
export const StorageInput = z.object({ json: z.boolean() });
/** Input of `doctor`. */
export const DoctorInput = z.object({
  /** Origins of servers by whose clocks to go. */
  clocks: z.array(z.string()),
  json: z.boolean(),
});
/** Input of `clock forward`; at most ten years. */
export const clockSecondsMax = 10 * 366 * 86_400;
export const ClockInput = z.object({ seconds: z.int().min(1).max(clockSecondsMax) });
/** Input of `poison lift`: the beginning of a digest, or `all`. */
export const PoisonInput = z.object({ named: z.string().regex(/^(all|[0-9a-f]{12,64})$/) });

/** Asked by the main thread for the health port; nobody types it. */
export const healthCommand = 'health';

export const AdminAnswer = z.discriminatedUnion('ok', [
  /** Lines to print. With `goesOn` they tell how far the work is, and the request is sent again. */
  z.object({
    ok: z.literal(true),
    lines: z.array(z.string()),
    summary: Summary.optional(),
    goesOn: z.boolean().optional(),
    /** Of `top`. */
    machine: MachineSample.optional(),
    health: Health.optional(),
  }),
  /** The reason of a refusal, as a sentence. */
  z.object({ ok: z.literal(false), sentence: z.string() }),
]);
export type AdminAnswer = z.infer<typeof AdminAnswer>;
