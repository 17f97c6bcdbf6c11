import type { Examples } from '../../lib/http/examples.ts';
import { authExamples } from './auth-examples.ts';
import { channelExamples } from './channel-examples.ts';
import type { routes } from './contract.ts';
import { environmentExamples } from './environment-examples.ts';
import { invitationExamples } from './invitation-examples.ts';
import { keyExamples } from './key-examples.ts';
import { memberExamples } from './member-examples.ts';
import { pageExamples } from './page-examples.ts';
import { projectExamples } from './project-examples.ts';
import { sessionExamples } from './session-examples.ts';

export const examples: Examples<typeof routes> = {
  ...authExamples,
  ...sessionExamples,
  ...keyExamples,
  ...projectExamples,
  ...memberExamples,
  ...environmentExamples,
  ...channelExamples,
  ...invitationExamples,
  ...pageExamples,
};
