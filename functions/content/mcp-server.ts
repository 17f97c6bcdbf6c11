import { McpServer } from '@modelcontextprotocol/server';
import type { ContentContext } from '../../lib/content/content-context.ts';
import { addTool, type Tool } from '../../lib/mcp/tool.ts';
import { SERVER_NAME, VERSION } from './about.ts';
import type { ContentError } from './error-body.ts';
import { addResources } from './mcp-resources.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Only a deployment changes the server's description; a publication changes the content. Both are the same for every caller. */
const ABOUT = { ttlMs: HOUR_MS, cacheScope: 'public' } as const;
const HELD = { ttlMs: 5 * MINUTE_MS, cacheScope: 'public' } as const;

export interface ContentServerOptions {
  ctx: ContentContext;
  tools: readonly Tool<ContentContext>[];
  /** The error that the caller sees. Logs hidden details. */
  describe: (error: unknown) => ContentError;
}

/** Makes an MCP server for one message. */
export function createContentServer({ ctx, tools, describe }: ContentServerOptions): McpServer {
  const { name, website } = ctx.catalogue.publisher;
  const server = new McpServer(
    { name: SERVER_NAME, title: `${name}: public content`, version: VERSION, websiteUrl: website },
    {
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false, subscribe: false },
        completions: {},
      },
      instructions: instructionsFor(name),
      cacheHints: {
        'server/discover': ABOUT,
        'tools/list': ABOUT,
        'resources/templates/list': ABOUT,
        'resources/list': HELD,
        'resources/read': HELD,
      },
    },
  );
  for (const tool of tools) addTool(server, ctx, tool, describe);
  addResources(server, ctx, describe);
  return server;
}

const instructionsFor = (name: string): string =>
  [
    `Public content of ${name}: services, case studies, products, business facts and guides, in English (en), Spanish (es) and European Portuguese (pt-PT). Everything is read-only and free to ask.`,
    'Start with `search_content` (telling words or a plain question; without `query` it lists everything) or `list_services`, then read by `get_content`. Searches cover titles, descriptions and keywords, one language at a time; full texts are only in `get_content` and `get_guide`.',
    'Long texts come in pages of at most 20,000 characters: repeat the same request with `nextCursor` as `cursor` until it is null. `revision_changed` means that something changed meanwhile: start again without `cursor`.',
    'Ids: `service:<slug>:<language>`, `case-study:<slug>:<language>`, `product:<slug>:<language>`, `business:facts:<language>` name their language; another `language` beside them is not found. `guide:<slug>` needs a `language` unless English is meant, and not every guide is in every language.',
    'Times are RFC 3339 in UTC; null is unknown. At most 60 requests a minute. While guides are out of reach searches still answer, with a warning.',
  ].join('\n\n');
