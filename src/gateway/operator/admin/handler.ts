/** Runs commands of the operator, on a running server or on one started for a single command. */
import { asFailure, Failure } from '../../../runtime/errors.ts';
import type { Services } from '../../../services/services.ts';
import { statusOf, textOf } from '../../http/failures.ts';
import { type CommandOutput, notUnderstood } from '../commands/command.ts';
import { commands } from '../commands/commands.ts';
import type { Machine } from '../machine/machine.ts';
import { type AdminAnswer, AdminRequest } from './requests.ts';

/** Never rejects: a command that fails is answered with a sentence. `machine`: of a running server. */
export function createAdminHandler(
  services: Services,
  machine?: Pick<Machine, 'sample'>,
): (request: unknown) => Promise<AdminAnswer> {
  return async (request) => {
    try {
      if (machine !== undefined && AdminRequest.safeParse(request).data?.command === 'top')
        return { ok: true, lines: [], machine: await machine.sample() };
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
