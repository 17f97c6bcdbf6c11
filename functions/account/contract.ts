import type { Contracts } from '../../lib/http/contract.ts';
import { authComponents, authRoutes } from './auth-contract.ts';
import { channelComponents, channelRoutes } from './channel-contract.ts';
import { environmentComponents, environmentRoutes } from './environment-contract.ts';
import { invitationComponents, invitationRoutes } from './invitation-contract.ts';
import { keyComponents, keyRoutes } from './key-contract.ts';
import { memberComponents, memberRoutes } from './member-contract.ts';
import { pageRoutes } from './page-contract.ts';
import { projectComponents, projectRoutes } from './project-contract.ts';
import { sessionComponents, sessionRoutes } from './session-contract.ts';

/** People, their projects and their keys. */
export const routes = {
  ...authRoutes,
  ...sessionRoutes,
  ...keyRoutes,
  ...projectRoutes,
  ...memberRoutes,
  ...environmentRoutes,
  ...channelRoutes,
  ...invitationRoutes,
  ...pageRoutes,
} as const satisfies Contracts;

export const components = {
  ...authComponents,
  ...sessionComponents,
  ...keyComponents,
  ...projectComponents,
  ...memberComponents,
  ...environmentComponents,
  ...channelComponents,
  ...invitationComponents,
};
