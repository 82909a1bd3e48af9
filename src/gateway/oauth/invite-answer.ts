/** The answer to apps that ask about the code of an invite, by the API or at the address of its page. */
import type { Caller } from '../../operations/caller.ts';
import { inviteOfCode } from '../../operations/invites/invites.ts';
import { admissionOfAddress } from '../../operations/registration/admission.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';
import { inviteCodeEntity } from '../entities/invites.ts';
import { type Answer, json } from '../http/answers.ts';

/** Throws Failure notFound, and forbidden for an address from which nobody may sign up. */
export function inviteCodeAnswer(services: Services, caller: Caller, code: string): Answer {
  const { state } = inviteOfCode(services, code);
  // Behaviour of the Mastodon API.
  if (state !== 'usable') return json({ error: 'This invite is not valid' }, { status: 401 });
  if (admissionOfAddress(services, caller) === 'refused') throw new Failure('forbidden');
  return json(inviteCodeEntity(code, services.addresses));
}
