/** What the faces work with: the services of every thread, and what only a gateway thread keeps. */
import type { Services } from '../services/services.ts';
import type { EncodedAnswers, StatusPresenter } from './entities/encoded-answers.ts';

export interface GatewayServices extends Services {
  /** Which statuses a viewer is shown, and what they are to the viewer. */
  readonly presenter: StatusPresenter;
  /** Statuses and what is made of them as encoded bytes. */
  readonly answers: EncodedAnswers;
}
