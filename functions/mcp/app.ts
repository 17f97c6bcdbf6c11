import type { MiddlewareHandler } from 'hono';
import type { StatusCode } from 'hono/utils/http-status';
import type { ActorOf } from '../../lib/context.ts';
import { DomainError } from '../../lib/errors.ts';
import { addRoutes } from '../../lib/http/add-routes.ts';
import { afterwards } from '../../lib/http/afterwards.ts';
import { createApp } from '../../lib/http/app.ts';
import { limitCaller } from '../../lib/http/caller-limits.ts';
import type { Door, Passed } from '../../lib/http/doors.ts';
import { toDomainError } from '../../lib/http/http-errors.ts';
import { causesOf, type Log, logToConsole } from '../../lib/http/log.ts';
import { originGate } from '../../lib/http/origin-gate.ts';
import { queryTokenGate } from '../../lib/http/query-token-gate.ts';
import { refuseQuery } from '../../lib/http/read.ts';
import { readBody } from '../../lib/http/read-body.ts';
import { serveMcp } from '../../lib/mcp/serve-mcp.ts';
import type { AgentContext } from './agent-context.ts';
import type { AgentTool } from './agent-tool.ts';
import { createAnalyticsServer } from './analytics-server.ts';
import { type AgentError, describeError } from './choice-error.ts';
import { routes } from './contract.ts';
import { Env } from './env.ts';
import { createResources, type Resources } from './resources.ts';
import { maySee, toolNamed, toolsOf } from './tool-list.ts';

type AgentRequest = Passed<Resources, ActorOf<'queryToken'>>;

/** For agents, by query tokens. */
const agentsAt = (now: () => number): Door<'queryToken', AgentRequest, AgentContext> => ({
  auth: 'queryToken',
  guards: (contract) => [queryTokenGate<Resources>(), limitCaller(contract)] as MiddlewareHandler[],
  context: (c) => ({
    actor: c.var.actor,
    sql: c.var.resources.reportSql,
    replica: c.var.resources.replica,
    countReports: c.var.resources.questions.ofPerson(c, c.var.actor.userId),
    cursors: c.var.resources.cursors,
    now,
    requestId: c.var.requestId,
    pageUrl: (path) => c.var.resources.origin + path,
    afterwards: (work) => afterwards(c, 'mcp', work),
  }),
});

/** The tool that a message calls, if we have it. Another part of the way refuses a message of a wrong shape. */
function calledIn(body: Uint8Array): { tool?: AgentTool | undefined; args?: unknown } {
  try {
    const message = JSON.parse(new TextDecoder().decode(body)) as Message | null;
    if (message?.method !== 'tools/call') return {};
    return { tool: toolNamed(message.params?.name), args: message.params?.arguments };
  } catch {
    return {};
  }
}

interface Message {
  method?: unknown;
  params?: { name?: unknown; arguments?: unknown };
}

/** Web analytics and telemetry for agents, over the Model Context Protocol. */
export function createMcpApp({ log = logToConsole, now = Date.now }: { log?: Log; now?: () => number } = {}) {
  const app = createApp({ name: 'mcp', env: Env, log, resources: createResources });

  /** The error that the caller of a tool sees. Hidden details are logged here, because the answer's status is 200. */
  const describe =
    (requestId: string) =>
    (thrown: unknown): AgentError => {
      const error = toDomainError(thrown);
      if (error.code === 'INTERNAL_ERROR' || error.cause !== undefined) {
        const causes = causesOf(thrown);
        log({ level: 'error', function: 'mcp', event: 'call-failed', requestId, error: error.code, causes });
      }
      return describeError(error);
    };

  app.use(
    '*',
    originGate<{ Variables: { resources: Resources } }>({
      allowed: (c) => [c.var.resources.origin],
      headers: ['Content-Type', 'Authorization', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'],
    }),
  );
  addRoutes(app, routes, agentsAt(now), {
    postMcp: async (ctx, _, c) => {
      refuseQuery(c);
      const message = await readBody(c.req.raw);
      const { tool, args } = calledIn(message);
      if (tool !== undefined && !maySee(ctx, tool)) {
        await tool.noteRefusal?.(ctx, args, 'FORBIDDEN');
        c.header('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${tool.scopes[0]}"`);
        const scopes = tool.scopes.map((scope) => `\`${scope}\``).join(' or ');
        throw new DomainError(
          'FORBIDDEN',
          `The token lacks the scope ${scopes}. Its owner can make one that has it.`,
        );
      }
      const { requestId } = c.var;
      const tools = toolsOf(ctx);
      const { body, status, headers } = await serveMcp(c.req.raw, message, {
        createServer: (asked) => createAnalyticsServer({ ctx, tools, asked, describe: describe(requestId) }),
        onError: (error) =>
          log({ level: 'info', function: 'mcp', event: 'mcp', requestId, causes: causesOf(error) }),
      });
      return c.newResponse(body, { status: status as StatusCode, headers });
    },
  });
  return app;
}
