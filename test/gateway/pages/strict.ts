/** Checks that apply to every page of the site. */
import { expect } from 'vitest';
import type { Shown } from './site.ts';

/** Nothing in a page may run, and nothing may be styled in place: the policy would refuse it. */
export function expectStrict({ html, headers }: Shown): void {
  const policy = headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).not.toContain('unsafe');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  const tags = html.match(/<[a-z](?:[^>"']|"[^"]*"|'[^']*')*>/gi) ?? [];
  const suspicious = tags.filter((tag) => {
    const names = [...tag.replace(/"[^"]*"/g, '""').matchAll(/\s([\w-]+)=/g)].map(([, name]) => name!);
    return names.some((name) => name === 'style' || name.startsWith('on'));
  });
  expect(suspicious).toEqual([]);
  const script = (name: string) =>
    expect.stringMatching(new RegExp(`^<script type="module" src="/assets/${name}\\.js\\?v=[\\w-]+">$`));
  const ofStaff = html.includes('/assets/staff.css') ? [script('staff')] : [];
  const ofPasskeys = html.includes('data-passkey') ? [script('passkeys')] : [];
  const ofPush = html.includes('data-push=') ? [script('push')] : [];
  const ofPictures = html.includes('id="pictures"') ? [script('crop')] : [];
  const expected = [...ofStaff, ...ofPasskeys, ...ofPush, ...ofPictures, script('app')];
  expect(html.match(/<(script|style|iframe|object)\b[^>]*>/gi)).toEqual(expected);
}
