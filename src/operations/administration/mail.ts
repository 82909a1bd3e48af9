/** The mail of the server: how sending it is doing, and a test. */
import { z } from 'zod';
import type { MailState, MailTest } from '../../services/mail.ts';
import { reads } from '../audit.ts';
import { operation } from '../operation.ts';
import { type ListedDeliveries, listedLanes } from './list-deliveries.ts';

const hostsListed = 20;

export const mailState = operation({
  input: z.object({}),
  permission: 'operateMachine',
  audit: reads,
  async run({ services }): Promise<Omit<MailState, 'lanes'> & ListedDeliveries> {
    const { lanes, ...state } = await services.mail.state();
    return { ...state, ...listedLanes(lanes, hostsListed) };
  },
});

export const testMail = operation({
  input: z.object({ email: z.string().trim() }),
  permission: 'operateMachine',
  audit: { nothing: 'a mail to the operator tells nothing about anybody' },
  /** Throws Failure validation for what is no address. */
  run: ({ services }, { email }): Promise<MailTest> => services.mail.test(email),
});
