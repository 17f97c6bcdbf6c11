/**
 * Whether a client shows views: MCP Apps, the extension `io.modelcontextprotocol/ui` (docs/mcp.md#views-in-chats). Since 2026-07-28 every
 * message says so. Before, `initialize` alone may, and hosts that show views leave it out: to these clients views are named, and others
 * pass over the name.
 */
export const VIEWS_EXTENSION = 'io.modelcontextprotocol/ui';
export const VIEW_TYPE = 'text/html;profile=mcp-app';

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

interface Message {
  method?: unknown;
  params?: unknown;
}

/** The value of nested objects at a path, if there is one. */
const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key], value);

const declares = (capabilities: unknown): boolean => {
  const types = at(capabilities, 'extensions', VIEWS_EXTENSION, 'mimeTypes');
  return Array.isArray(types) && types.includes(VIEW_TYPE);
};

export function showsViews({ method, params }: Message): boolean {
  if (method === 'initialize') return declares(at(params, 'capabilities'));
  const capabilities = at(params, '_meta', CAPABILITIES);
  return capabilities === undefined || declares(capabilities);
}
