/** Notes that moderators write for each other about an account, a report or another server. */
import { z } from 'zod';
import { findLogin } from '../../actors/account/profile/logins.queries.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { findReport } from '../../actors/account/reports/reports.queries.ts';
import type { AuditAction } from '../../actors/audit.records.ts';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { instanceLimits } from '../../actors/instance/limits.ts';
import {
  findModerationNote,
  moderationNotesAbout,
  type StoredNote,
} from '../../actors/instance/moderation-notes/moderation-notes.queries.ts';
import type { Noted, NotedKind } from '../../actors/instance/moderation-notes/moderation-notes.records.ts';
import { heldRole } from '../../actors/roles.queries.ts';
import { cleanText } from '../../actors/text/characters.ts';
import { Failure } from '../../runtime/errors.ts';
import { type Id, parseId } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { accountIdOfHandle } from '../accounts/handles.ts';
import { reads } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { type OperationContext, operation } from '../operation.ts';
import { hasHigherRole, roleOf, type StaffPermission } from '../permissions.ts';
import { blank, refuseFields, tooLong } from '../refused-fields.ts';
import { exceedsCharacters } from '../text-lengths.ts';
import { otherDomain } from './domain-names.ts';
import { accountName } from './local-account.ts';

/** The id of an account or a report, the name of an account, the domain of a server. */
const about = z.object({ about: accountName });

interface NotedThing {
  readonly id: string;
  /** For the audit log. */
  readonly name: string;
}

interface NotesOfKind {
  readonly kind: NotedKind;
  readonly permission: StaffPermission;
  readonly added: AuditAction;
  readonly removed: AuditAction;
  /** Throws Failure notFound or validation. */
  find(services: Services, given: Id | string): NotedThing;
}

function notesOf({ kind, permission, added, removed, find }: NotesOfKind) {
  const on = ({ services }: { readonly services: Services }, given: { readonly about: Id | string }) => {
    const { id, name } = find(services, given.about);
    return { about: { kind, id } satisfies Noted, name };
  };
  /** Oldest first. */
  const list = operation({
    input: about,
    permission,
    audit: reads,
    on,
    run: ({ services }, _given, noted): StoredNote[] => moderationNotesAbout(services.snapshots, noted.about),
  });
  const add = operation({
    input: about.extend({ text: z.string() }),
    permission,
    audit: added,
    on,
    async run({ caller, services, audit }, given, noted): Promise<StoredNote> {
      const text = cleanText(given.text);
      const { moderationNoteCharactersMax: max } = instanceLimits;
      refuseFields({ text: text === '' ? [blank] : exceedsCharacters(text, max) ? [tooLong(max)] : [] });
      const byId = caller.accountId;
      const message = Instance.addModerationNote.to(instanceKey, { text, byId, ...noted, audit });
      const { noteId } = await services.client.call(message, flowOf(caller));
      return noteOf(services, noted.about, noteId);
    },
  });
  const remove = operation({
    input: about.extend({ noteId: z.coerce.bigint() }),
    permission,
    audit: removed,
    on,
    /** Throws Failure notFound, forbidden. */
    async run({ caller, services, audit }, { noteId }, noted): Promise<void> {
      if (!mayRemoveNote({ caller, services }, noteOf(services, noted.about, noteId))) throw new Failure('forbidden');
      const message = Instance.removeModerationNote.to(instanceKey, { noteId, ...noted, audit });
      await services.client.call(message, flowOf(caller));
    },
  });
  return { list, add, remove };
}

/** One's own, or of somebody with a lower role (behaviour of the Mastodon API). */
export function mayRemoveNote({ caller, services }: OperationContext, { byId }: Pick<StoredNote, 'byId'>): boolean {
  const { snapshots } = services;
  const author = byId === undefined ? ({ role: 'owner' } as const) : findLogin(snapshots, byId);
  const isOwner = roleOf(caller, services)?.builtIn === 'owner';
  return (
    byId === caller.accountId ||
    isOwner ||
    hasHigherRole(caller, heldRole(snapshots, author ?? { role: 'user' }), services)
  );
}

/** Throws Failure notFound. */
function noteOf({ snapshots }: Pick<Services, 'snapshots'>, noted: Noted, noteId: Id): StoredNote {
  const note = findModerationNote(snapshots, noted, noteId);
  if (note === undefined) throw new Failure('notFound');
  return note;
}

export const accountNotes = notesOf({
  kind: 'account',
  permission: 'manageReports',
  added: 'addAccountNote',
  removed: 'removeAccountNote',
  find({ snapshots, addresses }, given) {
    const accountId = typeof given === 'string' ? accountIdOfHandle(snapshots, given, addresses) : given;
    const profile = accountId === undefined ? undefined : findProfile(snapshots, accountId);
    if (profile === undefined) throw new Failure('notFound');
    return { id: profile.id.toString(), name: profile.username };
  },
});

export const { list: listAccountNotes, add: addAccountNote, remove: removeAccountNote } = accountNotes;

export const reportNotes = notesOf({
  kind: 'report',
  permission: 'manageReports',
  added: 'addReportNote',
  removed: 'removeReportNote',
  find({ snapshots }, given) {
    const reportId = parseId(String(given));
    if (reportId === undefined || findReport(snapshots, reportId) === undefined) throw new Failure('notFound');
    return { id: reportId.toString(), name: `#${reportId}` };
  },
});

export const { list: listReportNotes, add: addReportNote, remove: removeReportNote } = reportNotes;

/** Also about one that nobody here knows yet. */
export const serverNotes = notesOf({
  kind: 'server',
  permission: 'manageFederation',
  added: 'addServerNote',
  removed: 'removeServerNote',
  find(services, given) {
    const domain = otherDomain(services, String(given));
    return { id: domain, name: domain };
  },
});

export const { list: listServerNotes, add: addServerNote, remove: removeServerNote } = serverNotes;
