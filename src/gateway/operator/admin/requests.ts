/** What the operator's command line can ask of a server, and how it answers: plain data, one JSON line each. */
import { z } from 'zod';
import { Role } from '../../../actors/account/profile/profile.records.ts';
import { RegistrationMode } from '../../../actors/instance/instance.messages.ts';
import { Dialect } from '../../../actors/session/session.messages.ts';
import { Summary } from '../metrics/summary.ts';
import { adminLimits } from './limits.ts';

export const AdminRequest = z.discriminatedUnion('command', [
  z.object({
    command: z.literal('accounts create'),
    username: z.string(),
    email: z.string(),
    password: z.string().optional(),
    role: Role.optional(),
    confirmed: z.boolean(),
    approved: z.boolean(),
  }),
  z.object({ command: z.literal('accounts show'), username: z.string() }),
  z.object({
    command: z.literal('accounts modify'),
    username: z.string(),
    password: z.string().optional(),
    role: Role.optional(),
    confirmed: z.literal(true).optional(),
    approved: z.literal(true).optional(),
    suspended: z.boolean().optional(),
    disabled: z.boolean().optional(),
  }),
  z.object({
    command: z.literal('tokens create'),
    username: z.string(),
    scopes: z.string(),
    dialect: Dialect.optional(),
  }),
  z.object({ command: z.literal('settings registrations'), mode: RegistrationMode }),
  z.object({
    command: z.literal('dead-letters list'),
    limit: z.number().int().min(1).max(adminLimits.lettersListedMax).optional(),
  }),
  /** The name of a letter, or `all`. */
  z.object({ command: z.literal('dead-letters retry'), letter: z.string() }),
  z.object({ command: z.literal('dead-letters drop'), letter: z.string() }),
  z.object({ command: z.literal('poison list') }),
  /** The beginning of a digest, or `all`. */
  z.object({ command: z.literal('poison lift'), named: z.string().regex(/^(all|[0-9a-f]{12,64})$/) }),
  /** `live`: with what is measured, for whoever asks again and again. */
  z.object({ command: z.literal('status'), live: z.boolean().optional() }),
]);
export type AdminRequest = z.infer<typeof AdminRequest>;

export const AdminAnswer = z.discriminatedUnion('ok', [
  /** What the command prints. */
  z.object({ ok: z.literal(true), lines: z.array(z.string()), summary: Summary.optional() }),
  /** Why it was refused, in a sentence. */
  z.object({ ok: z.literal(false), sentence: z.string() }),
]);
export type AdminAnswer = z.infer<typeof AdminAnswer>;

/** The request of one command. */
export type RequestOf<Command extends AdminRequest['command']> = Extract<AdminRequest, { command: Command }>;
