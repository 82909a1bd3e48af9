/** Mail lanes over all actors in memory, in simulated time, and an SMTP server that answers as a test says. */
import { type ParsedMail, simpleParser } from 'mailparser';
import { actors, keyspaces } from '../../../src/actors/catalogue.ts';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { mailLog } from '../../../src/actors/partition/mails.state.ts';
import { PartitionActor } from '../../../src/actors/partition/partition.messages.ts';
import type { Lanes } from '../../../src/outbound/lanes/lanes.ts';
import { createMailLanes } from '../../../src/outbound/mail/create-mail.ts';
import type { BuiltMail, MailDrop, MailResult } from '../../../src/outbound/mail/ports.ts';
import type { Id } from '../../../src/runtime/ids.ts';
import { EventHub } from '../../../src/services/event-hub.ts';
import { createTestServer } from '../../support/actors.ts';
import { roomyCaches } from '../../support/caches.ts';
import { People } from '../../support/people.ts';
import { testServices } from '../../support/services.ts';
import { SimulatedTime } from '../lanes/simulated-time.ts';

export interface SentMail extends BuiltMail {
  readonly at: number;
}

export const sent: MailResult = { kind: 'sent', response: '250 taken' };
export const unreachable: MailResult = { kind: 'unanswered', stage: 'connection', detail: 'refused' };
export const refusedAt = (stage: 'recipient' | 'content', code: number): MailResult => ({
  kind: 'refused',
  stage,
  code,
  response: `${code} no`,
});

/** Writing a mail takes more rounds of the event loop than lanes do. */
class PatientTime extends SimulatedTime {
  override async settle(): Promise<void> {
    for (let round = 0; round < 10; round += 1) await super.settle();
  }
}

export class MailBed {
  readonly people = new People(createTestServer({ actors, keyspaces }));
  readonly server = this.people.server;
  /** Every attempt, in order. */
  readonly attempts: SentMail[] = [];
  readonly problems: string[] = [];
  readonly dropped: MailDrop[] = [];
  readonly time = new PatientTime(this.server.clock, () => this.server.settle());
  private readonly base = testServices(this.server, { elsewhere: new Map(), home: undefined });
  readonly services = { ...this.base, options: { ...this.base.options, smtpUrl: 'smtp://mail.example' } };
  /** Accounts that have a stream open. */
  readonly streaming = new Set<Id>();
  answer: (mail: SentMail, before: number) => MailResult | 'never' = () => sent;
  private running: { lanes: Lanes; hub: EventHub; life: { isOver: boolean } };

  constructor() {
    const keyPair = { publicKeyPem: '', privateKeyPem: '', createdAt: 0 };
    const secrets = { formSecret: 'a secret', keyPair, vapidPublicKey: '', vapidPrivateKey: '' };
    this.server.callNow(Instance.adoptSecrets.to(instanceKey, secrets));
    this.route(true);
    this.server.watch((batch) => this.running.hub.dispatch(batch, []));
    this.running = this.startLanes();
  }

  get lanes(): Lanes {
    return this.running.lanes;
  }

  /** As the network thread tells it at its start. */
  route(isSmtp: boolean): void {
    for (const partition of this.server.read.partitions.keys())
      this.server.callNow(PartitionActor.mailRouted.to(BigInt(partition), { isSmtp }));
  }

  to(email: string): SentMail[] {
    return this.attempts.filter(({ to }) => to === email);
  }

  parsed(email: string): Promise<ParsedMail[]> {
    return Promise.all(this.to(email).map(({ content }) => simpleParser(content)));
  }

  settle(): Promise<void> {
    return this.time.settle();
  }

  advance(milliseconds: number): Promise<void> {
    return this.time.advance(milliseconds);
  }

  /** Mails that are still in the logs. */
  logged(): number {
    return this.server.read.partitions.reduce((sum, reader) => sum + [...reader.range(mailLog, [])].length, 0);
  }

  /** The network thread dies without a word, and another starts. */
  async crash(): Promise<void> {
    this.running.life.isOver = true;
    this.running = this.startLanes();
    await this.settle();
  }

  private startLanes() {
    const hub = new EventHub();
    const life = { isOver: false };
    const alive = (run: () => void) => () => {
      if (!life.isOver) run();
    };
    const report = ({ level, message }: { level: string; message: string }) => {
      if (level !== 'debug') this.problems.push(message);
    };
    const lanes = createMailLanes(
      { ...this.services, index: 0, count: 1, events: hub, caches: roomyCaches('network'), report, trace: undefined },
      {
        now: () => this.server.clock.now(),
        monotonic: () => this.server.clock.monotonic(),
        random: () => this.time.random(),
        defer: (callback) => this.time.defer(alive(callback)),
        schedule: (milliseconds, callback) => this.time.schedule(milliseconds, alive(callback)),
        attempted: () => undefined,
        waitShortened: () => undefined,
        dropped: (why) => void this.dropped.push(why),
        report,
        isStreaming: async (accountId) => this.streaming.has(accountId),
        send: (mail) => (life.isOver ? new Promise(() => undefined) : this.receive(mail)),
      },
    );
    lanes.start();
    return { lanes, hub, life };
  }

  private receive(mail: BuiltMail): Promise<MailResult> {
    const attempt = { ...mail, at: this.server.clock.now() };
    const before = this.to(mail.to).length;
    this.attempts.push(attempt);
    const answer = this.answer(attempt, before);
    return new Promise((resolve) => {
      if (answer !== 'never') this.time.defer(() => resolve(answer));
    });
  }
}
