import { createApiKey, listApiKeys, revokeApiKey } from '../../lib/accounts/api-keys.ts';
import { createQueryToken, listQueryTokens, revokeQueryToken } from '../../lib/accounts/query-tokens.ts';
import { allowView, endView, listViewGrants } from '../../lib/accounts/view-grants.ts';
import { addRoutes, data } from '../../lib/http/add-routes.ts';
import { createApp } from '../../lib/http/app.ts';
import { type Log, logToConsole } from '../../lib/http/log.ts';
import { ownOrigin } from '../../lib/http/session-api.ts';
import { listDeliveries, resendDelivery } from '../../lib/messages/deliveries.ts';
import {
  changeChannel,
  createChannel,
  deleteChannel,
  getChannel,
  listChannels,
  rotateSecret,
  testChannel,
} from '../../lib/messages/message-channels.ts';
import { listAuditLog } from '../../lib/projects/audit-log.ts';
import {
  createEnvironment,
  deleteEnvironment,
  listEnvironments,
  renameEnvironment,
} from '../../lib/projects/environments.ts';
import {
  inviteMember,
  joinProject,
  listInvitations,
  previewInvitation,
  revokeInvitation,
} from '../../lib/projects/invitations.ts';
import { changeMember, listMembers, removeMember } from '../../lib/projects/members.ts';
import { listOrphans } from '../../lib/projects/orphans.ts';
import {
  createProject,
  deleteProject,
  getProject,
  listProjects,
  renameProject,
} from '../../lib/projects/projects.ts';
import { addAuthRoutes } from './auth-routes.ts';
import { channelRoutes } from './channel-contract.ts';
import { Env } from './env.ts';
import { environmentRoutes } from './environment-contract.ts';
import { invitationRoutes } from './invitation-contract.ts';
import { keyRoutes } from './key-contract.ts';
import { memberRoutes } from './member-contract.ts';
import { addPageRoutes } from './page-routes.ts';
import { projectRoutes } from './project-contract.ts';
import { type Bindings, createResources, everybody, people, type Resources } from './resources.ts';
import { addSessionRoutes } from './session-routes.ts';

/** Routes for people, their projects and their keys. Only pages of this service may send requests. */
export function createAccountApp({ log = logToConsole }: { log?: Log } = {}) {
  const app = createApp({
    name: 'account',
    env: Env,
    log,
    resources: (env, bindings: Bindings) => createResources(env, bindings, log),
  });
  app.use('*', ownOrigin<Resources>());
  addPageRoutes(app);
  addAuthRoutes(app);
  addSessionRoutes(app);
  addRoutes(app, keyRoutes, people, {
    listApiKeys: data(listApiKeys),
    createApiKey: data(createApiKey),
    revokeApiKey,
    listQueryTokens: data(listQueryTokens),
    createQueryToken: data(createQueryToken),
    revokeQueryToken,
    allowView: data(allowView),
    listViewGrants: data(listViewGrants),
    endView,
  });
  addRoutes(app, projectRoutes, people, {
    listProjects: data(listProjects),
    createProject: data(createProject),
    joinProject: data(joinProject),
    getProject: data(getProject),
    renameProject: data(renameProject),
    deleteProject,
    listAuditLog: async (ctx, input) => {
      const { entries, nextCursor } = await listAuditLog(ctx, input);
      return { data: entries, meta: { nextCursor } };
    },
  });
  addRoutes(app, memberRoutes, people, {
    listMembers: data(listMembers),
    inviteMember: data(inviteMember),
    changeMember,
    removeMember,
    listInvitations: data(listInvitations),
    revokeInvitation,
    listOrphans: data(listOrphans),
  });
  addRoutes(app, environmentRoutes, people, {
    listEnvironments: data(listEnvironments),
    createEnvironment: data(createEnvironment),
    renameEnvironment: data(renameEnvironment),
    deleteEnvironment,
  });
  addRoutes(app, channelRoutes, people, {
    listChannels: data(listChannels),
    createChannel: data(createChannel),
    getChannel: data(getChannel),
    changeChannel: data(changeChannel),
    deleteChannel,
    rotateSecret: data(rotateSecret),
    testChannel: data(testChannel),
    listDeliveries: async (ctx, input) => {
      const { deliveries, nextCursor } = await listDeliveries(ctx, input);
      return { data: deliveries, meta: { nextCursor } };
    },
    resendDelivery,
  });
  addRoutes(app, invitationRoutes, everybody, { previewInvitation: data(previewInvitation) });
  return app;
}
