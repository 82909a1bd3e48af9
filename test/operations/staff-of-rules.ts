/** Rows of staff.test.ts: what the operations of appeals, announcements, keys and texts for warnings are called with. */
import { Account } from '../../src/actors/account/account.messages.ts';
import { warningsOf } from '../../src/actors/account/moderation/warnings.queries.ts';
import { publishAnnouncement } from '../../src/operations/administration/announcements.ts';
import { limitAccount } from '../../src/operations/administration/limit-account.ts';
import { addAccountNote, addReportNote, addServerNote } from '../../src/operations/administration/moderation-notes.ts';
import { addWarningPreset } from '../../src/operations/administration/warning-presets.ts';
import { operator } from '../../src/operations/caller.ts';
import type { Person } from '../support/observer.ts';
import type { Callers } from './callers.ts';
import { listInputs } from './staff-of-lists.ts';

interface Scene {
  readonly callers: Callers;
  readonly bob: Person;
}

export function ruleInputs(scene: () => Scene): Readonly<Record<string, () => unknown>> {
  const context = () => ({ caller: operator, services: scene().callers.services });
  /** Against a strike of Bob's. */
  const appealed = async () => {
    const { callers, bob } = scene();
    const { server } = callers.people;
    await limitAccount(context(), { account: bob.id });
    const strikeId = warningsOf(server.read, bob.id, { limit: 1 }).items[0]!.id;
    return server.call(Account.appeal.to(bob.id, { strikeId, text: 'I was kind', staffIds: [] }));
  };
  const reported = async () => {
    const { callers, bob } = scene();
    const said = { targetId: bob.id, statusIds: [], ruleIds: [], category: 'spam' as const, comment: '' };
    const carol = callers.people.local('carol');
    return (await callers.people.server.call(Account.fileReport.to(carol.id, said))).reportId;
  };
  /** A note of somebody who is gone: whoever may remove notes may remove it. */
  const noted = async (add: typeof addAccountNote, about: bigint | string) => {
    const { callers } = scene();
    const eve = callers.as(callers.people.local('eve', {}, { role: 'owner' }));
    const note = await add(eve, { about, text: 'Look' });
    await callers.people.server.call(Account.changeLogin.to(eve.caller.accountId, { role: 'user' }));
    return { about, noteId: note.id };
  };
  const keyed = async () => {
    const { callers, bob } = scene();
    const pair = { publicKeyPem: 'public', privateKeyPem: 'private', createdAt: 0 };
    await callers.people.server.call(Account.setKeysIfAbsent.to(bob.id, pair));
    return { account: bob.id };
  };
  const preset = () => addWarningPreset(context(), { title: 'Spam', text: 'Please do not advertise' });
  const onPreset = async () => ({ presetId: (await preset()).id });
  const announcement = () => publishAnnouncement(context(), { text: 'Tea at five', allDay: false });
  return {
    ...listInputs(() => scene().callers),
    allAnnouncements: () => ({}),
    rotateKeys: keyed,
    rotateAllKeys: () => ({}),
    rotateServerKey: () => ({}),
    // Nobody, so that nothing is written.
    rotateKeysOf: () => ({ whose: 'account', account: 'nobody' }),
    changeAnnouncement: async () => ({ ...(await announcement()), text: 'Tea at six' }),
    mailAnnouncement: announcement,
    publishAnnouncement: () => ({ text: 'Tea at five', allDay: false }),
    withdrawAnnouncement: announcement,
    addAccountNote: () => ({ about: scene().bob.id, text: 'Look' }),
    addReportNote: async () => ({ about: await reported(), text: 'Look' }),
    addServerNote: () => ({ about: 'birds.example', text: 'Look' }),
    listAccountNotes: () => ({ about: scene().bob.id }),
    listReportNotes: async () => ({ about: await reported() }),
    listServerNotes: () => ({ about: 'birds.example' }),
    removeAccountNote: () => noted(addAccountNote, scene().bob.id),
    removeReportNote: async () => noted(addReportNote, await reported()),
    removeServerNote: () => noted(addServerNote, 'birds.example'),
    showMeasures: () => ({ from: 0, until: 1, wanted: [{ key: 'newUsers' }] }),
    showDimensions: () => ({ from: 0, until: 1, wanted: [{ key: 'languages' }], limit: 5 }),
    showRetention: () => ({ from: 0, until: 1, frequency: 'day' }),
    showReportHistory: async () => ({ reportId: await reported() }),
    addWarningPreset: () => ({ text: 'Please do not advertise' }),
    changeWarningPreset: async () => ({ ...(await onPreset()), text: 'No advertising' }),
    exportDomainAllows: () => ({}),
    exportDomainBlocks: () => ({}),
    importDomainAllows: () => ({ csv: '#domain\nbirds.example' }),
    importDomainBlocks: () => ({ csv: 'spam.example' }),
    previewAllowList: () => ({}),
    previewDomainBlock: () => ({ domain: 'spam.example' }),
    listWarningPresets: () => ({}),
    removeWarningPreset: onPreset,
    showWarningPreset: onPreset,
    approveAppeal: appealed,
    listAppeals: () => ({ limit: 5 }),
    rejectAppeal: appealed,
    showAppeal: appealed,
  };
}
