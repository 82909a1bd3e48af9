/** Whether the rule for old posts of other servers keeps up. */
import { systemClock } from '../../runtime/threads/clock.ts';
import type { Examined } from './examined.ts';
import { type Finding, good, problem, skipped } from './findings.ts';

const dayMilliseconds = 86_400_000;
/** A first run over many millions may take a day. */
const lateDays = 3;

export function checkRetention({ stored, options, isRunning }: Examined): Finding[] {
  if (typeof stored !== 'object') return [skipped('There is no data folder that can be read.')];
  const { retention } = stored;
  const days = options.remoteStatusDays;
  if (retention === undefined || retention.days === 0)
    return [days === 0 ? good('Posts of other servers are kept.') : skipped('No rule has run yet.')];
  const { run, nextAt } = retention;
  const due = nextAt ?? run?.startedAt;
  if (isRunning && due !== undefined && due < systemClock.now() - lateDays * dayMilliseconds)
    return [problem('retentionLate', { since: new Date(due).toISOString() })];
  const last = run === undefined ? 'None has gone yet.' : `${run.forgotten} of ${run.examined} went with the last run.`;
  return [good(`Unused posts of other servers go after ${retention.days} days. ${last}`)];
}
