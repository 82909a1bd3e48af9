/** Shows a local account with the state of its login. */
import { z } from 'zod';
import { reads } from '../audit.ts';
import { operation } from '../operation.ts';
import { namedAccount } from './local-account.ts';

export const showAccount = operation({
  input: z.object({ username: z.string() }),
  permission: 'manageUsers',
  audit: reads,
  run: ({ services }, { username }) => namedAccount(services, username),
});
