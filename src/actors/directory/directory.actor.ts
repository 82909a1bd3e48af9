/** The directory actor: every message with its handler. */
import { implement } from '../../runtime/contract.ts';
import { Directory } from './directory.messages.ts';
import type { DirectoryTurn } from './directory.turn.ts';
import {
  claimEmail,
  emailTaken,
  grantEmail,
  leaveEmail,
  leaveName,
  register,
  registerName,
  releaseEmail,
} from './register.ts';
import { hostKnown, learn, point } from './remote.ts';

export const directoryActor = implement<DirectoryTurn>()(Directory, {
  register,
  registerName,
  releaseEmail,
  emailTaken,
  learn,
  point,
  hostKnown,
  claimEmail,
  grantEmail,
  leaveEmail,
  leaveName,
});
