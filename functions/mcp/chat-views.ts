/** Views that draw answers in chats (docs/mcp.md#views-in-chats). The documents are made from `web/chat/`, hold no data and load nothing. */
import type { McpServer } from '@modelcontextprotocol/server';
import { VIEW_TYPE } from '../../lib/mcp/shows-views.ts';
import type { AgentTool } from './agent-tool.ts';
import { CHAT_VIEWS } from './chat-views.generated.ts';

type View = keyof typeof CHAT_VIEWS;

/** The address by which a tool names its view. */
export const viewOf = (view: View): string => `ui://vendor/${view}.html`;

const TITLES: Readonly<Record<View, string>> = {
  site: 'A website at a glance',
  trace: 'A trace in its time',
};

/** The host frames the view, and lets it reach no address. */
const META = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } };

/** Adds the views of tools that the token may call. */
export function addChatViews(server: McpServer, tools: readonly AgentTool[]): void {
  for (const [name, text] of Object.entries(CHAT_VIEWS) as [View, string][]) {
    const uri = viewOf(name);
    if (!tools.some(({ view }) => view === uri)) continue;
    const about = { title: TITLES[name], mimeType: VIEW_TYPE, _meta: META };
    server.registerResource(`view-${name}`, uri, about, () => ({
      contents: [{ uri, mimeType: VIEW_TYPE, text, _meta: META }],
    }));
  }
}
