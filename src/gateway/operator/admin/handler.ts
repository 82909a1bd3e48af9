/** Carries out what the operator asks: the same on a running server and on one started for a single command. */
import { Instance, instanceKey } from '../../../actors/instance/instance.messages.ts';
import { usageOf } from '../../../actors/instance/instance.queries.ts';
import { dayOf } from '../../../actors/session/session.messages.ts';
import { settingsOf } from '../../../operations/instance/settings.ts';
import { asFailure, Failure } from '../../../runtime/errors.ts';
import type { Services } from '../../../services/services.ts';
import { software } from '../../../services/software.ts';
import { createAccount, modifyAccount, showAccount } from './accounts.ts';
import { countDeadLetters, dropDeadLetters, listDeadLetters, retryDeadLetters } from './dead-letters.ts';
import { type AdminAnswer, AdminRequest, type RequestOf } from './requests.ts';
import { createToken } from './tokens.ts';

/** Never rejects: what cannot be done is answered with a sentence. */
export function createAdminHandler(services: Services): (request: unknown) => Promise<AdminAnswer> {
  return async (request) => {
    const parsed = AdminRequest.safeParse(request);
    if (!parsed.success)
      return { ok: false, sentence: 'This server does not know that command. Is it another version?' };
    try {
      return { ok: true, lines: await carryOut(services, parsed.data) };
    } catch (error) {
      const failure = asFailure(error);
      if (failure.status >= 500) services.report({ level: 'error', message: 'a command failed', error: failure });
      return { ok: false, sentence: failure.message };
    }
  };
}

function carryOut(services: Services, request: AdminRequest): string[] | Promise<string[]> {
  switch (request.command) {
    case 'accounts create':
      return createAccount(services, request);
    case 'accounts show':
      return showAccount(services, request);
    case 'accounts modify':
      return modifyAccount(services, request);
    case 'tokens create':
      return createToken(services, request);
    case 'settings registrations':
      return changeRegistrations(services, request);
    case 'dead-letters list':
      return listDeadLetters(services, request);
    case 'dead-letters retry':
      return retryDeadLetters(services, request);
    case 'dead-letters drop':
      return dropDeadLetters(services, request);
    case 'poison list':
    case 'poison lift':
      throw new Failure('internal', { cause: new Error('the main thread answers this') });
    case 'status':
      return showStatus(services);
  }
}

async function changeRegistrations(
  { client }: Services,
  { mode }: RequestOf<'settings registrations'>,
): Promise<string[]> {
  await client.call(Instance.changeSettings.to(instanceKey, { registrations: mode }), 'system');
  return [`Registrations: ${mode}`];
}

function showStatus(services: Services): string[] {
  const usage = usageOf(services.snapshots.partitions, dayOf(services.now()));
  return [
    `Version: ${software.version}`,
    `Origin: ${services.addresses.origin}`,
    `Registrations: ${settingsOf(services).registrations}`,
    `Users: ${usage.users}`,
    `Active in 30 days: ${usage.activeMonth}`,
    `Statuses: ${usage.statuses}`,
    `Known servers: ${usage.hosts}`,
    `Partitions: ${services.snapshots.partitions.length}`,
    `Dead letters: ${countDeadLetters(services)}`,
  ];
}
