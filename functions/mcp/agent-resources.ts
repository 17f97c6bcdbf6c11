/** What agents may read beside tools (docs/mcp.md#resources-and-prompts). A resource that the token's scopes don't open isn't there. */
import { type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { type AgentContext, hasScope, type Scope } from './agent-context.ts';
import type { AgentError } from './choice-error.ts';
import { COUNTING } from './counting-rules.ts';
import { tellOpened } from './opened-answer.ts';

interface Resource {
  name: string;
  uri: string;
  title: string;
  description: string;
  mimeType: string;
  /** One of these opens it. Empty: every token. */
  scopes: readonly Scope[];
  read: (ctx: AgentContext) => Promise<string> | string;
}

const RESOURCES: readonly Resource[] = [
  {
    name: 'sites',
    uri: 'vendor://sites',
    title: 'Websites',
    description: 'The websites that the token opens: id, domain, name, time zone, project.',
    mimeType: 'application/json',
    scopes: ['sites:read', 'analytics:read', 'control:write'],
    read: async (ctx) => JSON.stringify(await tellOpened(ctx, { only: 'sites' })),
  },
  {
    name: 'environments',
    uri: 'vendor://environments',
    title: 'Environments of backends',
    description: 'The environments that the token opens: id, and name with its project.',
    mimeType: 'application/json',
    scopes: ['telemetry:read', 'outcomes:read', 'control:write'],
    read: async (ctx) => JSON.stringify(await tellOpened(ctx, { only: 'environments' })),
  },
  {
    name: 'counting',
    uri: 'vendor://counting',
    title: 'How numbers are counted',
    description:
      'What a visit, a visitor, a source or a conversion is, at each privacy tier, and what can’t be added up.',
    mimeType: 'text/markdown',
    scopes: [],
    read: () => COUNTING,
  },
];

export function addAgentResources(
  server: McpServer,
  ctx: AgentContext,
  describe: (error: unknown) => AgentError,
): void {
  for (const { name, uri, scopes, read, ...about } of RESOURCES) {
    if (scopes.length > 0 && !scopes.some((scope) => hasScope(ctx, scope))) continue;
    server.registerResource(name, uri, about, async () => {
      try {
        return { contents: [{ uri, mimeType: about.mimeType, text: await read(ctx) }] };
      } catch (error) {
        const { code, message } = describe(error);
        throw new ProtocolError(ProtocolErrorCode.InternalError, message, { code });
      }
    });
  }
}
