/** The public MCP clients, created as the host of an agent does. */
import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { nextAddress } from './client.ts';

type Named = { name: string };

/** The methods that both generations of the client have. */
export interface McpClient {
  getServerVersion(): { name: string; title?: string | undefined; version: string } | undefined;
  getInstructions(): string | undefined;
  getServerCapabilities(): object | undefined;
  listTools(): Promise<{
    tools: (Named & { outputSchema?: object | undefined; _meta?: object | undefined })[];
  }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<object>;
  listResources(): Promise<{ resources: (Named & { uri: string })[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: (Named & { uriTemplate: string })[] }>;
  readResource(params: {
    uri: string;
  }): Promise<{ contents: { uri: string; mimeType?: string | undefined; _meta?: object | undefined }[] }>;
  complete(params: {
    ref: { type: 'ref/resource'; uri: string };
    argument: { name: string; value: string };
    context?: { arguments: Record<string, string> };
  }): Promise<{ completion: { values: string[] } }>;
  close(): Promise<void>;
}

export interface Connection {
  client: McpClient;
  /** The protocol version on which client and server agreed. */
  version: string | undefined;
}

/** What a client says that it can do. */
interface Capabilities {
  extensions?: Record<string, Record<string, string[]>>;
}

const IDENTITY = { name: 'clients-test', version: '1.0.0' };

/** Each request has a new address, because a test sends more requests than a host. */
const fetchFromAnywhere =
  (own: Record<string, string>) =>
  (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set('X-Forwarded-For', nextAddress());
    for (const [name, value] of Object.entries(own)) headers.set(name, value);
    return fetch(url, { ...init, headers });
  };

/** Connects a client of generation 2. `headers` go with each request. */
export async function connect2(
  url: URL,
  mode: VersionNegotiationOptions['mode'],
  headers: Record<string, string> = {},
  capabilities: Capabilities = {},
): Promise<Connection> {
  const options = { capabilities, ...(mode !== undefined && { versionNegotiation: { mode } }) };
  const client = new Client(IDENTITY, options);
  await client.connect(new StreamableHTTPClientTransport(url, { fetch: fetchFromAnywhere(headers) }));
  return { client, version: client.getNegotiatedProtocolVersion() };
}

/** Connects a client of generation 1, which has sessions and requests a stream. */
export async function connect1(
  url: URL,
  headers: Record<string, string> = {},
  capabilities: Capabilities = {},
): Promise<Connection> {
  const client = new Client1(IDENTITY, { capabilities });
  const transport = new Transport1(url, { fetch: fetchFromAnywhere(headers) });
  // The SDK's own types contradict each other about optional properties.
  await client.connect(transport as Transport);
  return { client, version: transport.protocolVersion };
}
