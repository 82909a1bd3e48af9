/** Headers of an answer: names in lower case; a peer may repeat any of them. */

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The value of a header, by its name in lower case; repeated ones joined as RFC 9110, section 5.3 reads them. */
export function headerValue(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'object' ? value.join(', ') : value;
}
