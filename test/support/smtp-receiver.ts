/** A real SMTP server on loopback that answers as a test says, and keeps what it accepts. */
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** How it treats a mail to an address: accepts it, says a code at a stage, hangs up, or never answers. */
export type SmtpBehaviour =
  | 'accept'
  | 'hang'
  | 'drop'
  | { readonly at: 'sender' | 'recipient' | 'content'; readonly code: number };

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly parsed: ParsedMail;
}

export class SmtpReceiver {
  readonly mails: ReceivedMail[] = [];
  /** By recipient, in lower case; everything else is accepted. */
  readonly behaviours = new Map<string, SmtpBehaviour>();
  /** Of those that were under way at the same time, the most. */
  sessionsMax = 0;
  private sessions = 0;
  private readonly server: SMTPServer;

  constructor(options: SMTPServerOptions = {}) {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onConnect: (_session, callback) => {
        this.sessions += 1;
        this.sessionsMax = Math.max(this.sessionsMax, this.sessions);
        callback();
      },
      onClose: () => {
        this.sessions -= 1;
      },
      onMailFrom: (_address, _session, callback) => callback(this.refusal('*', 'sender')),
      onRcptTo: ({ address }, _session, callback) => callback(this.refusal(address, 'recipient')),
      onData: (stream, { envelope }, callback) => {
        const to = envelope.rcptTo.map(({ address }) => address);
        const behaviour = this.behaviourOf(to[0] ?? '');
        if (behaviour === 'drop') {
          for (const connection of this.server.connections) connection._socket.destroy();
          return;
        }
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          if (behaviour === 'hang') return;
          const raw = Buffer.concat(chunks);
          const refusal = this.refusal(to[0] ?? '', 'content');
          if (refusal) return callback(refusal);
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
          void simpleParser(raw).then((parsed) => {
            this.mails.push({ from, to, raw: raw.toString(), parsed });
            callback(null, 'taken');
          });
        });
      },
      ...options,
    });
    // Connections that a test breaks.
    this.server.on('error', () => undefined);
  }

  async listen(port = 0): Promise<number> {
    await new Promise<void>((resolve) => void this.server.listen(port, '127.0.0.1', () => resolve()));
    const address = this.server.server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  close(): Promise<void> {
    for (const connection of this.server.connections) connection._socket.destroy();
    return new Promise((resolve) => void this.server.close(() => resolve()));
  }

  private behaviourOf(address: string): SmtpBehaviour {
    return this.behaviours.get(address.toLowerCase()) ?? 'accept';
  }

  private refusal(address: string, stage: 'sender' | 'recipient' | 'content'): Error | undefined {
    const behaviour = this.behaviourOf(address);
    if (typeof behaviour === 'string' || behaviour.at !== stage) return undefined;
    return Object.assign(new Error(`refused by the ${stage}`), { responseCode: behaviour.code });
  }
}
