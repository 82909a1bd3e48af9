/** What a scenario file contains: parts that run at the same time, for so long, and sessions of its own. */
import { z } from 'zod';
import { HttpSettings, Sessions } from '../http/settings.ts';
import { loadLimits } from '../limits.ts';
import { FleetSettings, InboxSettings } from '../remote/settings.ts';
import { StreamSettings } from '../stream/settings.ts';

const settingsOfKinds = z.discriminatedUnion('kind', [
  HttpSettings.extend({ kind: z.literal('http') }),
  StreamSettings.extend({ kind: z.literal('stream') }),
  InboxSettings.extend({ kind: z.literal('inbox') }),
  FleetSettings.extend({ kind: z.literal('fleet') }),
]);

export const Scenario = z.strictObject({
  /** For whoever reads the file. */
  '//': z.string().optional(),
  name: z.string().min(1).max(80),
  summary: z.string().max(1_000).default(''),
  /** Before anything is measured. */
  warmUpSeconds: z.number().min(0).max(loadLimits.warmUpSecondsMax).default(5),
  seconds: z.number().positive().max(loadLimits.secondsMax).default(60),
  sessions: Sessions.default({}),
  parts: z.array(settingsOfKinds).min(1).max(loadLimits.partsMax),
});
export type Scenario = z.output<typeof Scenario>;
