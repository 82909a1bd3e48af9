/** The lanes that send mail: joins mails with the lanes of src/outbound/lanes, on a network thread. */

import type { FeedAnswer, FeedRequest } from '../../actors/partition/feeds.messages.ts';
import { mailAppended } from '../../actors/partition/partition.events.ts';
import { envelopeAddress } from '../../actors/policy/email-address.ts';
import { validationFailure } from '../../runtime/errors.ts';
import { type Id, slotOfId } from '../../runtime/ids.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import { type MailCounts, type MailState, type MailTest, mailStateTopic, mailTestTopic } from '../../services/mail.ts';
import type { Answerer, NetworkServices } from '../../services/network-services.ts';
import type { Lanes } from '../lanes/lanes.ts';
import { createMeasuredLanes } from '../lanes/measured-lanes.ts';
import type { Verdict } from '../lanes/outcome.ts';
import { lanePorts } from '../lanes/real-ports.ts';
import { buildMail } from './build-mail.ts';
import { mailLimits } from './limits.ts';
import { MailFiles } from './mail-files.ts';
import { MailLog } from './mail-log.ts';
import { Mails } from './mails.ts';
import type { MailDrop, MailPorts, MailTransport } from './ports.ts';
import { Smtp } from './smtp.ts';
import { smtpServer } from './smtp-options.ts';
import { tellRoute } from './tell-route.ts';

type MailServices = Pick<
  NetworkServices,
  | ('options' | 'addresses' | 'languages' | 'snapshots' | 'events' | 'caches' | 'index' | 'count')
  | ('client' | 'members' | 'now' | 'monotonic' | 'report' | 'trace')
>;

export type MailCounters = Pick<MailPorts, 'attempted' | 'waitShortened' | 'dropped'>;

export interface MailRole {
  readonly lanes: Lanes;
  readonly answerers: readonly (readonly [string, Answerer])[];
  start(): void;
  /** When the lanes have stopped. */
  close(): void;
}

export function createMail(
  services: MailServices & Pick<NetworkServices, 'mailFolder'>,
  counters: MailCounters,
): MailRole {
  const { smtpUrl } = services.options;
  const clientName = new URL(services.addresses.origin).hostname;
  const transport =
    smtpUrl === undefined ? new MailFiles(services.mailFolder) : new Smtp(smtpServer(smtpUrl, clientName));
  const counted = new Counted(counters);
  const ports = lanePorts({ ...services, ...counted.counters });
  const lanes = createMailLanes(services, {
    ...ports,
    send: (mail) => transport.send(mail),
    isStreaming: (accountId) => isStreaming(services, accountId),
    dropped: counted.counters.dropped,
    trace: services.trace,
  });
  const state = (): MailState => ({ to: transport.name, lanes: lanes.laneReport(), counts: counted.counts });
  let route: { stop(): void } | undefined;
  return {
    lanes,
    answerers: [
      [mailStateTopic, async () => state()],
      [mailTestTopic, (email) => testMail(services, transport, email as string)],
    ],
    start() {
      // One thread tells it for all.
      if (services.index === 0) route = tellRoute({ ...services, ports }, smtpUrl !== undefined);
      lanes.start();
    },
    close() {
      route?.stop();
      transport.close();
    },
  };
}

export function createMailLanes(services: MailServices, ports: MailPorts): Lanes {
  const { addresses, languages, snapshots, client, events, caches, index, count } = services;
  const source = new Mails({
    ...{ snapshots, client, addresses, languages, ports },
    from: senderOf(services),
    tellsNotifications: services.options.smtpUrl !== undefined,
    secrets: () => secretsOf(services),
  });
  return createMeasuredLanes({
    logs: snapshots.partitions.map(
      (reader, partition) => new MailLog({ partition, reader, source, client, index, count }),
    ),
    events,
    appendedEvent: mailAppended.number,
    placement: snapshots.placement,
    index,
    caches,
    entries: 'mails',
    queues: 'queuedMails',
    ports,
  });
}

/** Only the owner of the account's partition knows: gateways tell it who listens. */
async function isStreaming({ client }: Pick<MailServices, 'client'>, accountId: Id): Promise<boolean> {
  const partition = client.placement.partitionOf(slotOfId(accountId));
  const asked: FeedRequest = { kind: 'isListening', accountId };
  return (await client.control<FeedAnswer>(partition, 'feeds', asked)).isListening === true;
}

function senderOf({ options, addresses }: Pick<MailServices, 'options' | 'addresses'>): string {
  return options.mailFrom ?? `no-reply@${addresses.domain.replace(/:\d+$/, '')}`;
}

/** Throws Failure validation for what is no address. */
async function testMail(services: MailServices, transport: MailTransport, email: string): Promise<MailTest> {
  const { addresses, languages, now } = services;
  const to = envelopeAddress(email);
  if (to === undefined) throw validationFailure(`${email} is not an e-mail address.`);
  const words = languages.preset;
  const { domain: server } = addresses;
  const { test } = words.mails;
  const at = now();
  const headers = { name: `${at}-test`, messageId: `<${at}.test@${server}>`, at, from: senderOf(services), to };
  const text = { subject: test.subject({ server }), paragraphs: [test.told] };
  const mail = await buildMail(headers, text, { words, name: to, handle: `@${server}`, server });
  const dialogue: string[] = [];
  const result = await transport.send(mail, (line) => {
    if (dialogue.length < mailLimits.dialogueLinesMax) dialogue.push(line);
  });
  const outcome = result.kind === 'unanswered' ? `${result.detail} (${result.stage})` : result.response;
  return { isSent: result.kind === 'sent', outcome, dialogue };
}

/** Counts for `mail status` what the metrics count. */
class Counted {
  readonly counts: { -readonly [Name in keyof MailCounts]: number } = {
    sent: 0,
    failed: 0,
    refused: 0,
    tooMany: 0,
    overwritten: 0,
  };
  readonly counters: MailCounters;

  constructor(counters: MailCounters) {
    this.counters = {
      waitShortened: counters.waitShortened,
      attempted: (verdict) => {
        this.attempted(verdict);
        counters.attempted(verdict);
      },
      dropped: (why) => {
        this.counts[droppedNames[why]] += 1;
        counters.dropped(why);
      },
    };
  }

  private attempted(verdict: Verdict): void {
    if (verdict === 'delivered') this.counts.sent += 1;
    else if (verdict === 'failed') this.counts.failed += 1;
  }
}

const droppedNames = {
  refused: 'refused',
  'too many': 'tooMany',
  overwritten: 'overwritten',
} as const satisfies Record<MailDrop, keyof MailCounts>;
