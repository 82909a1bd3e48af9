/** The options of how the server is reached besides host and port: TLS, and Unix sockets. Rows of the table. */
import { optionLimits } from './limits.ts';
import { option } from './option.ts';
import { lineOfText, permissionBits, wholeNumber } from './values.ts';

export const listeningOptions = [
  option({
    name: 'tlsCertificate',
    environment: 'MURMURATION_TLS_CERTIFICATE',
    schema: lineOfText,
    default: undefined,
    sentence:
      'File with the certificate of the server and those that lead to its authority, as PEM. With it the server speaks TLS itself; without it a proxy does. When the file has changed, or at SIGHUP, new connections get the new certificate.',
  }),
  option({
    name: 'tlsKey',
    environment: 'MURMURATION_TLS_KEY',
    schema: lineOfText,
    default: undefined,
    sentence: 'File with the private key of the certificate, as PEM, without a password.',
  }),
  option({
    name: 'redirectPort',
    environment: 'MURMURATION_REDIRECT_PORT',
    schema: wholeNumber(0, optionLimits.portMax),
    default: 0,
    sentence:
      'TCP port that leads browsers from HTTP to the origin of the server, for a server that speaks TLS; 0 for none.',
  }),
  option({
    name: 'acmeFolder',
    environment: 'MURMURATION_ACME_FOLDER',
    schema: lineOfText,
    default: undefined,
    sentence:
      'Folder of which the redirect port serves .well-known/acme-challenge, by which authorities such as Let’s Encrypt see that the domain is yours (certbot --webroot -w FOLDER).',
  }),
  option({
    name: 'socket',
    environment: 'MURMURATION_SOCKET',
    schema: lineOfText,
    default: undefined,
    sentence:
      'Path of a Unix socket to listen on in place of the port, for a proxy on the same machine. Further gateways add .1, .2 and so on to it.',
  }),
  option({
    name: 'socketMode',
    environment: 'MURMURATION_SOCKET_MODE',
    schema: permissionBits,
    default: 0o660,
    defaultText: '660',
    sentence: 'Permissions of the Unix socket. Who may write to it can connect.',
  }),
] as const;
