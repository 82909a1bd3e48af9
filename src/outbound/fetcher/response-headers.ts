/** Headers of a response: names in lower case; any of them may be repeated. */

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The value of a header by its lower-case name; repeated ones are joined as in RFC 9110, section 5.3. */
export function headerValue(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'object' ? value.join(', ') : value;
}
