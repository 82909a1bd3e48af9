/** Rows of staff.test.ts: what the operations about what staff keep are called with. */
import { putEmoji } from '../../src/operations/administration/emojis.ts';
import { addRule } from '../../src/operations/administration/server-rules.ts';
import { publishTerms } from '../../src/operations/administration/terms.ts';
import { writeDocument } from '../../src/operations/administration/write-documents.ts';
import { operator } from '../../src/operations/caller.ts';
import type { Callers } from './callers.ts';

const emoji = { shortcode: 'tea', image: 'https://pictures.example/tea.png', isHidden: false };
const terms = { day: 20_000, text: 'Be kind.', isHtml: false };
const policy = { name: 'privacy-policy' as const, text: 'Nothing is kept.', isHtml: false };

export function siteInputs(callers: () => Callers): Readonly<Record<string, () => unknown>> {
  const context = () => ({ caller: operator, services: callers().services });
  const rule = async () => ({ id: (await addRule(context(), { text: 'Be kind', hint: '' })).id });
  const published = async () => {
    await publishTerms(context(), terms);
    return { day: terms.day };
  };
  const kept = async () => {
    await putEmoji(context(), emoji);
    return { shortcode: emoji.shortcode };
  };
  return {
    addRule: () => ({ text: 'Be kind', hint: '' }),
    changeRule: async () => ({ ...(await rule()), text: 'Be kinder' }),
    listRules: () => ({}),
    removeRule: rule,
    allEmojis: () => ({}),
    changeEmoji: async () => ({ ...(await kept()), isDisabled: true }),
    /** Of an account of another server, whose picture can be had. */
    copyEmoji() {
      const { people, services } = callers();
      const url = 'https://birds.example/wren.png';
      people.remote('robin', 'birds.example', { emojis: [{ shortcode: 'wren', url, staticUrl: url }] });
      const kept = async () => ({ state: 'kept' as const, path: '/wren.png' });
      const store = async () => ({ file: { name: 'wren.png', bytes: 1 } });
      Object.assign(services, { remoteMedia: { file: kept }, pictures: { store } });
      return { shortcode: 'wren', from: '@robin@birds.example' };
    },
    putEmoji: () => emoji,
    removeEmoji: kept,
    changeSettings: () => ({ title: 'Birds' }),
    changeThumbnail: () => ({}),
    showSettings: () => ({}),
    storageState: () => ({}),
    listDisallowedHashtags: () => ({}),
    setHashtagDisallowed: () => ({ hashtag: 'spam', isDisallowed: true }),
    listDocuments: () => ({}),
    removeDocument: async () => {
      await writeDocument(context(), policy);
      return { name: policy.name };
    },
    writeDocument: () => policy,
    listTerms: () => ({}),
    publishTerms: () => terms,
    tellTerms: published,
    withdrawTerms: published,
  };
}
