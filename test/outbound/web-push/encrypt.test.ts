import { createECDH } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encryptDraft, encryptStandard, pushPlainBytesMax } from '../../../src/outbound/web-push/encrypt.ts';
import { PushReceiver } from '../../support/push-receiver.ts';

const fromBase64 = (text: string) => Buffer.from(text, 'base64url');

test('RFC 8291 appendix A: the message of its example', () => {
  const keyPair = createECDH('prime256v1');
  keyPair.setPrivateKey(fromBase64('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'));
  const keys = {
    publicKey: fromBase64('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
    auth: fromBase64('BTBZMqHH6r4Tts7J_aSIgg'),
  };
  const salt = fromBase64('DGv6ra1nlYgDCS1FRnbzlw');
  const body = encryptStandard(Buffer.from('When I grow up, I want to be a watermelon'), keys, { keyPair, salt });
  expect(body.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

describe('another implementation reads what is encrypted', () => {
  const receiver = new PushReceiver();
  const keys = { publicKey: fromBase64(receiver.publicKey), auth: fromBase64(receiver.auth) };
  const standard = (plain: Buffer) => ({
    headers: { 'content-encoding': 'aes128gcm' },
    body: encryptStandard(plain, keys),
  });
  const draft = (plain: Buffer) => {
    const { body, salt, publicKey } = encryptDraft(plain, keys);
    const [dh, other] = [publicKey.toString('base64url'), receiver.publicKey];
    const headers = {
      'content-encoding': 'aesgcm',
      encryption: `salt=${salt.toString('base64url')}`,
      'crypto-key': `dh=${dh};p256ecdsa=${other}`,
    };
    return { headers, body };
  };

  test.each([
    ['standard', standard],
    ['draft', draft],
  ])('in the %s form, of any length that fits into a body of 4096 bytes, with new keys each time', (_form, encrypt) => {
    const texts = fc.string({ unit: 'binary', maxLength: 300 });
    fc.assert(
      fc.property(texts, (text) => {
        expect(receiver.read(encrypt(Buffer.from(text)))).toBe(Buffer.from(text).toString());
      }),
      { numRuns: 12 },
    );
    const longest = Buffer.alloc(pushPlainBytesMax, 'x');
    expect(encrypt(longest).body.length).toBeLessThanOrEqual(4_096);
    expect(receiver.read(encrypt(longest))).toBe(longest.toString());
    expect(encrypt(longest).body.equals(encrypt(longest).body)).toBe(false);
    expect(new PushReceiver().canRead(encrypt(longest))).toBe(false);
  });

  test('a key that is no point of the curve is refused', () => {
    const wrong = { ...keys, publicKey: Buffer.alloc(65, 4) };
    expect(() => encryptStandard(Buffer.from('x'), wrong)).toThrow();
    expect(() => encryptDraft(Buffer.from('x'), wrong)).toThrow();
  });
});
