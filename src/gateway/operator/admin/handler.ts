/** Runs commands of the operator, on a running server or on one started for a single command. */
import { asFailure, Failure } from '../../../runtime/errors.ts';
import type { Services } from '../../../services/services.ts';
import { statusOf, textOf } from '../../http/failures.ts';
import { type CommandOutput, notUnderstood } from '../commands/command.ts';
import { commands } from '../commands/commands.ts';
import type { Health } from '../health/health.ts';
import type { Machine } from '../machine/machine.ts';
import { type AdminAnswer, AdminRequest, healthCommand } from './requests.ts';

/** What a running server can be asked besides. */
interface Observed {
  readonly machine: Pick<Machine, 'sample'>;
  health(): Promise<Health>;
}

/** Never rejects: a command that fails is answered with a sentence. */
export function createAdminHandler(
  services: Services,
  observed?: Observed,
): (request: unknown) => Promise<AdminAnswer> {
  return async (request) => {
    try {
      const wanted = observed && AdminRequest.safeParse(request).data?.command;
      if (wanted === 'top') return { ok: true, lines: [], machine: await observed!.machine.sample() };
      if (wanted === healthCommand) return { ok: true, lines: [], health: await observed!.health() };
      const { lines, goesOn } = await answerTo(services, request);
      return { ok: true, lines: [...lines], ...(goesOn ? { goesOn } : {}) };
    } catch (error) {
      const failure = asFailure(error);
      if (statusOf(failure) >= 500) services.report({ level: 'error', message: 'a command failed', error: failure });
      return { ok: false, sentence: textOf(failure) };
    }
  };
}

async function answerTo(services: Services, request: unknown): Promise<CommandOutput> {
  const { data } = AdminRequest.safeParse(request);
  const wanted = data && commands.find(({ words }) => words === data.command);
  if (wanted?.run === undefined) throw new Failure('validation', { text: notUnderstood });
  return wanted.run(services, data?.input);
}
