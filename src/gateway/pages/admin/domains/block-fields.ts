/** The fields of a rule for another server. */
import type { DomainBlock } from '../../../../actors/instance/domains/domains.records.ts';
import { instanceLimits } from '../../../../actors/instance/limits.ts';
import { type DomainSeverity, domainSeverities } from '../../../../actors/policy/domains.ts';
import { Failure } from '../../../../runtime/errors.ts';
import { type Html, html } from '../../../../services/words/html.ts';
import { type Fields, formField } from '../../../oauth/forms.ts';
import { checkbox, radios } from '../parts.ts';
import type { StaffVisit } from '../visitor.ts';

export interface BlockDraft {
  readonly domain: string;
  readonly severity: DomainSeverity;
  readonly rejectMedia: boolean;
  readonly rejectReports: boolean;
  readonly obfuscate: boolean;
  readonly publicComment: string;
  readonly privateComment: string;
}

export const newBlock: BlockDraft = {
  domain: '',
  severity: 'silence',
  rejectMedia: false,
  rejectReports: false,
  obfuscate: false,
  publicComment: '',
  privateComment: '',
};

/** For a server that the page of another one names. */
export function newBlockFor(domain: string): BlockDraft {
  return { ...newBlock, domain };
}

export function blockDraft({ publicComment = '', privateComment = '', ...block }: DomainBlock): BlockDraft {
  return { ...block, publicComment, privateComment };
}

/** Throws Failure badRequest for a form without a severity. */
export function blockIn(fields: Fields): BlockDraft {
  const isOn = (name: string) => fields.get(name) !== undefined;
  const severity = domainSeverities.find((one) => one === fields.get('severity'));
  if (severity === undefined) throw new Failure('badRequest');
  return {
    domain: fields.get('domain') ?? '',
    severity,
    rejectMedia: isOn('reject_media'),
    rejectReports: isOn('reject_reports'),
    obfuscate: isOn('obfuscate'),
    publicComment: fields.get('public_comment') ?? '',
    privateComment: fields.get('private_comment') ?? '',
  };
}

export function domainField({ words: { servers } }: StaffVisit, domain: string): Html {
  return formField({
    name: 'domain',
    label: servers.domain,
    hint: servers.domainHint,
    control: (described) =>
      html`<input name="domain" dir="ltr" value="${domain}" autocapitalize="none" spellcheck="false" required${described}>`,
  });
}

export function blockFields({ words: { servers } }: StaffVisit, draft: BlockDraft): Html {
  const limit = instanceLimits.domainCommentCharactersMax;
  const comment = (name: string, label: string, text: string) =>
    formField({
      name,
      label,
      hint: servers.commentHint({ limit }),
      control: (described) =>
        html`<textarea name="${name}" dir="auto" rows="2" maxlength="${limit}"${described}>${text}</textarea>`,
    });
  return html`${radios(servers.severity, 'severity', domainSeverities, servers.severities, draft.severity, servers.severityHints)}
${checkbox('reject_media', draft.rejectMedia, servers.rejectMedia)}
${checkbox('reject_reports', draft.rejectReports, servers.rejectReports)}
${checkbox('obfuscate', draft.obfuscate, servers.obfuscate)}
${comment('public_comment', servers.publicComment, draft.publicComment)}
${comment('private_comment', servers.privateComment, draft.privateComment)}`;
}
