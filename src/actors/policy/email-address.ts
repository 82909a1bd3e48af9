/** E-mail addresses. Pure. */

/** The host behind the @, in lower case and ASCII; undefined where there is none that mail could be sent to. */
export function hostOfAddress(email: string): string | undefined {
  const at = email.lastIndexOf('@');
  const host = at < 1 ? undefined : URL.parse(`http://${email.slice(at + 1)}`)?.host;
  return host === undefined || host === '' || host.includes(':') ? undefined : host;
}

/** As a mail server is told it: the host in ASCII. Undefined for what is no address. */
export function envelopeAddress(email: string): string | undefined {
  const host = hostOfAddress(email);
  return host === undefined ? undefined : `${email.slice(0, email.lastIndexOf('@'))}@${host}`;
}
