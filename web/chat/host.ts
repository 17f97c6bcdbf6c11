/**
 * The view's side of MCP Apps (SEP-1865, version 2026-01-26): JSON-RPC messages to and from the chat's program, which the protocol calls
 * the host. The view asks for nothing but to be initialized, and says how high it is.
 */
const PROTOCOL_VERSION = '2026-01-26';
const INITIALIZE_ID = 1;
const METHOD_NOT_FOUND = -32601;

/** What the host says of itself. Parts may be missing, and change later. */
export interface HostContext {
  theme?: string;
  /** A tag such as `pt-PT`. */
  locale?: string;
}

/** The result of the tool's call, as the host got it. */
export interface ToolResult {
  isError?: boolean;
  content?: readonly { type?: string; text?: string }[];
  structuredContent?: unknown;
}

interface Message {
  id?: unknown;
  method?: unknown;
  params?: unknown;
  result?: { hostContext?: HostContext };
}

interface Handlers {
  onContext: (context: HostContext) => void;
  onResult: (result: ToolResult) => void;
  onCancelled: () => void;
}

/** The messages hold nothing that another window may not see, and the host's origin isn't known. */
const send = (message: object): void => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');

/** Introduces the view to the host, and hears from it until the view is closed. */
export function connect(name: string, { onContext, onResult, onCancelled }: Handlers): void {
  addEventListener('message', ({ source, data }: MessageEvent<Message | null>) => {
    if (source !== parent || typeof data !== 'object' || data === null) return;
    const { id, method, params } = data;
    if (method === undefined) {
      if (id !== INITIALIZE_ID || data.result === undefined) return;
      onContext(data.result.hostContext ?? {});
      send({ method: 'ui/notifications/initialized' });
      sayHeight();
    } else if (method === 'ui/notifications/tool-result') onResult((params ?? {}) as ToolResult);
    else if (method === 'ui/notifications/tool-cancelled') onCancelled();
    else if (method === 'ui/notifications/host-context-changed') onContext((params ?? {}) as HostContext);
    else if (method === 'ping' || method === 'ui/resource-teardown') send({ id, result: {} });
    else if (id !== undefined)
      send({ id, error: { code: METHOD_NOT_FOUND, message: 'The view takes no such request.' } });
  });
  send({
    id: INITIALIZE_ID,
    method: 'ui/initialize',
    params: {
      appInfo: { name, version: '1' },
      appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
      protocolVersion: PROTOCOL_VERSION,
    },
  });
}

/** Tells the host how high the view is, whenever that changes. The width is the host's. */
function sayHeight(): void {
  let said = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === said) return;
    said = height;
    send({ method: 'ui/notifications/size-changed', params: { height } });
  }).observe(document.body);
}
