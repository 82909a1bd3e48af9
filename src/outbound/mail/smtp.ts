/** Sends mail over SMTP: a connection for each mail, few at a time. */
import type { NodemailerError } from 'nodemailer';
import type SmtpConnectionType from 'nodemailer/lib/smtp-connection';
import { mailLimits } from './limits.ts';
import type { BuiltMail, MailResult, MailStage, MailTransport } from './ports.ts';
import type { SmtpServer } from './smtp-options.ts';
import { Turns } from './turns.ts';

type Told = (line: string) => void;

/** Loaded with the first mail: most threads need it late or never. */
const library = () => import('nodemailer/lib/smtp-connection');

type NotSent = Exclude<MailResult, { readonly kind: 'sent' }>;
type Failed = (error: NodemailerError) => void;

/** How far the server lets this one come without a mail. */
export type Greeting = { readonly kind: 'greeted'; readonly isEncrypted: boolean } | NotSent;

export class Smtp implements MailTransport {
  readonly name: string;
  private readonly server: SmtpServer;
  private readonly turns = new Turns(mailLimits.connectionsMax);
  private readonly open = new Set<SmtpConnectionType>();

  constructor(server: SmtpServer) {
    this.server = server;
    this.name = server.name;
  }

  send(mail: BuiltMail, told?: Told): Promise<MailResult> {
    return this.turns.take(() => this.sendNow(mail, told));
  }

  /** Connects and signs in, and sends nothing. Never rejects. */
  async greet(): Promise<Greeting> {
    const { default: SmtpConnection } = await library();
    const connection = new SmtpConnection(this.server.connection);
    this.open.add(connection);
    try {
      return await this.enter<Greeting>(connection, (settle) => {
        settle({ kind: 'greeted', isEncrypted: connection.secure });
        connection.quit();
      });
    } finally {
      this.open.delete(connection);
      connection.close();
    }
  }

  close(): void {
    for (const connection of this.open) connection.close();
  }

  private async sendNow(mail: BuiltMail, told: Told | undefined): Promise<MailResult> {
    const { default: SmtpConnection } = await library();
    const connection = new SmtpConnection({ ...this.server.connection, logger: told && loggerOf(told) });
    this.open.add(connection);
    try {
      return await this.converse(connection, mail);
    } finally {
      this.open.delete(connection);
      connection.close();
    }
  }

  private converse(connection: SmtpConnectionType, mail: BuiltMail): Promise<MailResult> {
    return this.enter<MailResult>(connection, (settle, failed) => {
      connection.send({ from: mail.from, to: mail.to }, mail.content, (error, sent) => {
        if (error !== null) return failed(error);
        settle({ kind: 'sent', response: shortened(sent.response) });
        connection.quit();
      });
    });
  }

  /**
   * Calls `deliver` once the server takes mail. Settles with the first error, wherever it comes from: the library reports some
   * as events only.
   */
  private enter<Result>(
    connection: SmtpConnectionType,
    deliver: (settle: (result: Result) => void, failed: Failed) => void,
  ): Promise<Result | NotSent> {
    const { authentication } = this.server;
    let stage: MailStage = 'connection';
    return new Promise((resolve) => {
      const failed: Failed = (error) => resolve(failureOf(error, stage));
      const begin = () => {
        stage = 'content';
        deliver(resolve, failed);
      };
      connection.on('error', failed);
      // What the server said before it closed the connection is reported right after.
      connection.once('end', () => setImmediate(failed, new Error('the server closed the connection')));
      connection.connect((error) => {
        if (error) return failed(error);
        if (authentication === undefined || connection.authenticated) return begin();
        stage = 'sign-in';
        connection.login(authentication, (refused) => (refused === null ? begin() : failed(refused)));
      });
    });
  }
}

/** Commands of the dialogue, as the library names them, in which a server answers about more than the connection. */
const stages: readonly (readonly [start: string, stage: MailStage])[] = [
  ['AUTH', 'sign-in'],
  ['MAIL FROM', 'sender'],
  ['RCPT TO', 'recipient'],
  ['DATA', 'content'],
];

function failureOf({ message, command, response, responseCode }: NodemailerError, reached: MailStage): NotSent {
  const stage = stages.find(([start]) => command?.startsWith(start))?.[1] ?? reached;
  if (responseCode === undefined || response === undefined)
    return { kind: 'unanswered', stage, detail: shortened(message) };
  return { kind: 'refused', stage, code: responseCode, response: shortened(response) };
}

/** One line, without control characters: it is logged and shown. */
function shortened(response: string): string {
  const line = response.replace(/\p{Cc}+/gu, ' ').trim();
  return line.length <= mailLimits.responseCharactersMax ? line : `${line.slice(0, mailLimits.responseCharactersMax)}…`;
}

/** The library hides passwords in what it logs. */
function loggerOf(told: Told) {
  const log = (entry: unknown, message: unknown = '') => {
    const { tnx } = entry as { tnx?: string };
    const who = tnx === 'client' ? 'C: ' : tnx === 'server' ? 'S: ' : '';
    if (who === '') return;
    for (const line of String(message).split(/\r?\n/)) told(`${who}${shortened(line)}`);
  };
  return { level: () => undefined, trace: log, debug: log, info: log, warn: log, error: log, fatal: log };
}
