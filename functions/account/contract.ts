import type { RouteContract } from '../../lib/http/contract.ts';
import { authComponents, authRoutes } from './auth-contract.ts';
import { environmentComponents, environmentRoutes } from './environment-contract.ts';
import { keyComponents, keyRoutes } from './key-contract.ts';
import { memberComponents, memberRoutes } from './member-contract.ts';
import { pageRoutes } from './page-contract.ts';
import { projectComponents, projectRoutes } from './project-contract.ts';
import { sessionComponents, sessionRoutes } from './session-contract.ts';

/** What the OpenAPI document says of people, their projects and their keys. */
export const routes: RouteContract[] = [
  ...authRoutes,
  ...sessionRoutes,
  ...keyRoutes,
  ...projectRoutes,
  ...memberRoutes,
  ...environmentRoutes,
  ...pageRoutes,
];

export const components = {
  ...authComponents,
  ...sessionComponents,
  ...keyComponents,
  ...projectComponents,
  ...memberComponents,
  ...environmentComponents,
};
