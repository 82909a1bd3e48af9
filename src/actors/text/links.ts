/**
 * Links in local text: an absolute URL with an allowed scheme, up to where a reader would end it. Closing punctuation
 * belongs to the sentence, and a closing bracket belongs to the link only when it was opened there.
 */

import { isAsciiDigit, isAsciiLetter, isAsciiWord } from './characters.ts';
import { textLimits } from './limits.ts';
import type { LinkToken, Skip } from './tokens.ts';

/** Schemes allowed in links of local and remote content. */
export const linkSchemes: ReadonlySet<string> = new Set([
  'http',
  'https',
  'dat',
  'dweb',
  'ipfs',
  'ipns',
  'ssb',
  'gopher',
  'xmpp',
  'magnet',
  'gemini',
]);

const schemeCharactersMax = 6;
const hostRun = /[\p{L}\p{M}\p{Nd}._-]+/uy;
const portRun = /:[0-9]{1,5}(?![0-9])/y;
const bodyRun = /[^\s\p{Cc}\p{Cf}<>"`\\、。「」『』【】（）！？]+/uy;
const nonAscii = /\P{ASCII}/u;
const hostLabel = /^[\p{L}\p{Nd}_](?:[\p{L}\p{M}\p{Nd}_-]*[\p{L}\p{M}\p{Nd}_])?$/u;
const ipv4 = /^(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})(?:\.(?!$)|$)){4}$/;
const closingMarks = ".,;:!?'*~|";
const openingOf: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** The link whose scheme ends with the colon at `colon`; its scheme must not begin before `from`. */
export function linkAt(text: string, colon: number, from: number): LinkToken | Skip | undefined {
  const start = schemeStart(text, colon, from);
  if (start === undefined) return undefined;
  const scheme = text.slice(start, colon).toLowerCase();
  if (!linkSchemes.has(scheme)) return undefined;
  const isWeb = scheme === 'http' || scheme === 'https';
  const bodyStart = isWeb ? authorityEnd(text, colon + 1) : opaqueStart(text, colon + 1, scheme);
  if (bodyStart === undefined) return undefined;
  const bodyEnd = isWeb && !'/?#'.includes(text[bodyStart] ?? ' ') ? bodyStart : runEnd(bodyRun, text, bodyStart);
  if (bodyEnd - start > textLimits.linkCharactersMax) return { kind: 'skip', end: bodyEnd };
  const end = withoutClosingMarks(text, start, bodyStart, bodyEnd);
  return isWeb || end > bodyStart ? { kind: 'link', start, end, url: text.slice(start, end), isWeb } : undefined;
}

/** Where the letters before the colon begin, unless they continue a word, an address or a tag. */
function schemeStart(text: string, colon: number, from: number): number | undefined {
  const earliest = Math.max(from, colon - schemeCharactersMax);
  let start = colon;
  while (start > earliest && isAsciiLetter(text.charCodeAt(start - 1))) start -= 1;
  if (start === 0) return start;
  const isGlued = isAsciiWord(text.charCodeAt(start - 1)) || '@＠#＃$'.includes(text[start - 1]!);
  return isGlued ? undefined : start;
}

/** Where `//host[:port]` ends; undefined when that is not a host, or has a login before it. */
function authorityEnd(text: string, index: number): number | undefined {
  if (!text.startsWith('//', index)) return undefined;
  const hostEnd = plausibleHostEnd(text, index + 2);
  if (hostEnd === undefined) return undefined;
  const end = runEnd(portRun, text, hostEnd);
  return text[end] === '@' ? undefined : end;
}

/** Text in another script often continues directly after a Latin top-level domain: the host ends there. */
function plausibleHostEnd(text: string, hostStart: number): number | undefined {
  let end = runEnd(hostRun, text, hostStart);
  while (end > hostStart && '.-'.includes(text[end - 1]!)) end -= 1;
  if (end === hostStart || end - hostStart > textLimits.hostCharactersMax) return undefined;
  const host = text.slice(hostStart, end);
  const lastStart = host.lastIndexOf('.') + 1;
  const foreign = isAsciiLetter(host.charCodeAt(lastStart)) ? host.slice(lastStart).search(nonAscii) : -1;
  const length = foreign === -1 ? host.length : lastStart + foreign;
  return isHost(host.slice(0, length)) ? hostStart + length : undefined;
}

function isHost(host: string): boolean {
  const labels = host.split('.');
  const last = labels[labels.length - 1]!;
  if (isAsciiDigit(last.charCodeAt(0))) return ipv4.test(host);
  if (labels.length === 1) return last.toLowerCase() === 'localhost';
  const isTopLevel = last.length > 1 || nonAscii.test(last);
  return isTopLevel && labels.every((label) => label.length <= 63 && hostLabel.test(label));
}

/** Where the part after `scheme://`, `magnet:?` or `xmpp:` begins. */
function opaqueStart(text: string, index: number, scheme: string): number | undefined {
  if (scheme === 'magnet') return text[index] === '?' ? index + 1 : undefined;
  if (scheme === 'xmpp') return index;
  return text.startsWith('//', index) ? index + 2 : undefined;
}

function runEnd(run: RegExp, text: string, index: number): number {
  run.lastIndex = index;
  return run.test(text) ? run.lastIndex : index;
}

function withoutClosingMarks(text: string, start: number, bodyStart: number, bodyEnd: number): number {
  const balance = bracketBalance(text, start, bodyEnd);
  let end = bodyEnd;
  while (end > bodyStart) {
    const last = text[end - 1]!;
    const partner = openingOf[last];
    if (partner !== undefined && balance[partner]! < 0) balance[partner]! += 1;
    else if (!closingMarks.includes(last)) break;
    end -= 1;
  }
  return end;
}

/** For each kind of bracket, how many opening ones exceed the closing ones. */
function bracketBalance(text: string, start: number, end: number): Record<string, number> {
  const balance: Record<string, number> = { '(': 0, '[': 0, '{': 0 };
  for (let index = start; index < end; index += 1) {
    const character = text[index]!;
    const partner = openingOf[character];
    if (partner !== undefined) balance[partner]! -= 1;
    else if (balance[character] !== undefined) balance[character] += 1;
  }
  return balance;
}
