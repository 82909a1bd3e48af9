/** How an SMTP server is spoken to: made of the address in the options. */
import { isIP } from 'node:net';
import type { SMTPConnectionAuth, SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';
import { mailLimits } from './limits.ts';

export interface SmtpServer {
  /** host:port. */
  readonly name: string;
  readonly connection: SMTPConnectionOptions;
  readonly authentication: SMTPConnectionAuth | undefined;
}

const portOfTls = 465;
const portOfSubmission = 587;

/**
 * `clientName` is the host of this server, for EHLO. A password is sent over TLS only, whose certificate must be valid;
 * the machine itself is trusted. Without a password STARTTLS is used where it is offered, whoever answers: otherwise mail
 * would go unencrypted to the same machine.
 */
export function smtpServer(address: string, clientName: string): SmtpServer {
  const url = new URL(address);
  const secure = url.protocol === 'smtps:';
  const host = decodeURIComponent(url.hostname).replace(/^\[|\]$/g, '');
  const port = Number(url.port || (secure ? portOfTls : portOfSubmission));
  const hasPassword = url.username !== '';
  const isVerified = (hasPassword || secure) && !isLoopback(host);
  return {
    name: `${url.hostname}:${port}`,
    connection: {
      host,
      port,
      secure,
      requireTLS: hasPassword && !secure && !isLoopback(host),
      name: clientName,
      connectionTimeout: mailLimits.connectMilliseconds,
      greetingTimeout: mailLimits.greetingMilliseconds,
      socketTimeout: mailLimits.answerMilliseconds,
      tls: { rejectUnauthorized: isVerified },
      allowInternalNetworkInterfaces: true,
      transactionLog: true,
    },
    authentication: hasPassword
      ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
      : undefined,
  };
}

/** The machine itself. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
