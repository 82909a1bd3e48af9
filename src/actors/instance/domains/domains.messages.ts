/** The instance actor's messages about other servers. Message numbers 19 to 25. */
import { z } from 'zod';
import { call, cast } from '../../../runtime/contract.ts';
import { identifier } from '../../account/account.records.ts';
import { audited } from '../../audit.records.ts';
import {
  DomainAllow,
  DomainBlock,
  DomainBlockContent,
  FederationModeName,
  NewDomainBlock,
  SweepPosition,
} from './domains.records.ts';

/** `domain`: a host[:port] in normal form. Each change is applied to known accounts afterwards. */
export const domainMessages = {
  /**
   * The rule that staff have made for the domain already stays, and is the reply. Throws Failure validation above the
   * bound.
   */
  blockDomain: call(19, NewDomainBlock.extend(audited), z.object({ block: DomainBlock, isNew: z.boolean() })),
  /** Throws Failure notFound. */
  changeDomainBlock: call(20, z.object({ blockId: identifier, content: DomainBlockContent, ...audited }), DomainBlock),
  /** Throws Failure notFound. */
  unblockDomain: call(21, z.object({ blockId: identifier, ...audited }), z.undefined()),
  /** Repeating changes nothing. Throws Failure validation above the bound. */
  allowDomain: call(22, z.object({ domain: z.string(), ...audited }), DomainAllow),
  /** Throws Failure notFound. */
  disallowDomain: call(23, z.object({ allowId: identifier, ...audited }), z.undefined()),
  setFederationMode: call(24, z.object({ mode: FederationModeName, ...audited }), z.undefined()),
  /** A slice of the known accounts has been treated by the rules; `next` is absent after the last one. */
  policyApplied: cast(25, z.object({ revision: z.number(), next: SweepPosition.optional() })),
};
