/** The clock of the machine beside those of some other servers, by the Date in their answers. */
import { systemClock } from '../../runtime/threads/clock.ts';
import { ask } from './ask.ts';
import type { Examined } from './examined.ts';
import { type Finding, good, problem, skipped } from './findings.ts';

const serversMax = 5;
const enough = 3;
/** The header has whole seconds, and an answer takes its time. */
const offSeconds = 5;
const wrongSeconds = 60;

export async function checkClock({ stored, clocks }: Examined, signal: AbortSignal): Promise<Finding[]> {
  const known = typeof stored === 'object' ? stored.hosts.map((host) => `https://${host}`) : [];
  const asked = (clocks.length > 0 ? clocks : known).slice(0, serversMax);
  if (asked.length === 0)
    return [skipped('No other server is known yet: name some by --clocks https://example.org,https://example.net.')];
  const measured = await Promise.all(asked.map((server) => secondsAhead(server, signal)));
  const answers = asked.flatMap((server, index) => {
    const seconds = measured[index];
    return seconds === undefined ? [] : [{ host: new URL(server).host, seconds }];
  });
  if (answers.length === 0) return [skipped(`None of ${asked.join(', ')} told the time.`)];
  return [judge(answers.slice(0, enough))];
}

/** How far this machine is ahead. Undefined where the server does not answer, or without a date. */
async function secondsAhead(server: string, signal: AbortSignal): Promise<number | undefined> {
  const before = systemClock.now();
  try {
    const date = Date.parse((await ask({ url: new URL('/', server), method: 'HEAD', signal })).header('date'));
    if (Number.isNaN(date)) return undefined;
    const middle = (before + systemClock.now()) / 2;
    // The header is cut to its second.
    return (middle - date) / 1_000 - 0.5;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return undefined;
  }
}

/** The one in the middle: another server may be wrong too. */
function judge(answers: readonly { host: string; seconds: number }[]): Finding {
  const sorted = answers.map(({ seconds }) => seconds).sort((one, other) => one - other);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)]!;
  const seconds = Math.round(Math.abs(middle));
  const direction = middle > 0 ? 'ahead' : 'behind';
  const servers = answers.map(({ host }) => host).join(', ');
  if (seconds >= wrongSeconds) return problem('clockWrong', { seconds, direction, servers });
  if (seconds >= offSeconds) return problem('clockOff', { seconds, direction, servers });
  return good(`The clock agrees with ${servers}.`);
}
