/** Decides who may sign up. */
import { z } from 'zod';
import { Instance, instanceKey, RegistrationMode } from '../../actors/instance/instance.messages.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

export const changeRegistrations = operation({
  input: z.object({ mode: RegistrationMode }),
  permission: 'manageSettings',
  run: ({ caller, services }, { mode }) =>
    services.client.call(Instance.changeSettings.to(instanceKey, { registrations: mode }), flowOf(caller)),
});
