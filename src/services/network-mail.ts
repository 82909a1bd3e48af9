/** Asks network threads about mail: they divide the hosts of addresses. */
import {
  type MailCounts,
  type MailService,
  type MailState,
  type MailTest,
  mailStateTopic,
  mailTestTopic,
} from './mail.ts';
import type { AskNetwork } from './resolver.ts';

/** Any would do. */
const testingThread = 0;

export function networkMail(
  ask: AskNetwork,
  { isOn, networkThreads }: { readonly isOn: boolean; readonly networkThreads: number },
): MailService {
  return {
    isOn,
    async state() {
      const threads = Array.from({ length: networkThreads }, (_, index) => ask<MailState>(index, mailStateTopic, {}));
      return (await Promise.all(threads)).reduce(together);
    },
    test: (email) => ask<MailTest>(testingThread, mailTestTopic, email),
  };
}

function together(one: MailState, other: MailState): MailState {
  const sum = (name: keyof MailCounts) => one.counts[name] + other.counts[name];
  const counts = {
    sent: sum('sent'),
    failed: sum('failed'),
    refused: sum('refused'),
    tooMany: sum('tooMany'),
    overwritten: sum('overwritten'),
  };
  return { to: one.to, lanes: [...one.lanes, ...other.lanes], counts };
}
