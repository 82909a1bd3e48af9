/**
 * The English catalogue: the source of all others. One file for each area of what the server says; keys within it by
 * page or object.
 *
 * A message is a whole sentence, or a whole label: no page joins parts of sentences. What the parts of a message mean
 * is in message.ts.
 */
import { accounts } from './accounts.ts';
import { app } from './app.ts';
import { audit } from './audit.ts';
import { blocklists } from './blocklists.ts';
import { cleanup } from './cleanup.ts';
import { emojis } from './emojis.ts';
import { imports } from './imports.ts';
import { invites } from './invites.ts';
import { keeping } from './keeping.ts';
import { leaving } from './leaving.ts';
import { lists } from './lists.ts';
import { machine } from './machine.ts';
import { mails } from './mails.ts';
import { measures } from './measures.ts';
import { moderation } from './moderation.ts';
import { notifications } from './notifications.ts';
import { people } from './people.ts';
import { posts } from './posts.ts';
import { problems } from './problems.ts';
import { roles } from './roles.ts';
import { security } from './security.ts';
import { servers } from './servers.ts';
import { settings } from './settings.ts';
import { signing } from './signing.ts';
import { site } from './site.ts';
import { staff } from './staff.ts';
import { storage } from './storage.ts';
import { webhooks } from './webhooks.ts';
import { writing } from './writing.ts';

export const english = {
  site,
  people,
  posts,
  writing,
  emojis,
  notifications,
  lists,
  settings,
  security,
  signing,
  problems,
  mails,
  staff,
  storage,
  servers,
  blocklists,
  keeping,
  audit,
  moderation,
  measures,
  machine,
  leaving,
  imports,
  cleanup,
  roles,
  invites,
  accounts,
  app,
  webhooks,
} as const;
