/** The public MCP clients, as an agent's host makes them. */
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

/** What both generations of the client can do. */
export interface McpClient {
  getServerVersion(): { name: string; title?: string | undefined; version: string } | undefined;
  getInstructions(): string | undefined;
  getServerCapabilities(): object | undefined;
  listTools(): Promise<{ tools: (Named & { outputSchema?: object | undefined })[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<object>;
  listResources(): Promise<{ resources: (Named & { uri: string })[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: (Named & { uriTemplate: string })[] }>;
  readResource(params: {
    uri: string;
  }): Promise<{ contents: { uri: string; mimeType?: string | undefined }[] }>;
  complete(params: {
    ref: { type: 'ref/resource'; uri: string };
    argument: { name: string; value: string };
    context?: { arguments: Record<string, string> };
  }): Promise<{ completion: { values: string[] } }>;
  close(): Promise<void>;
}

export interface Connection {
  client: McpClient;
  /** What client and server agreed on. */
  version: string | undefined;
}

const IDENTITY = { name: 'clients-test', version: '1.0.0' };

/** Each request from an address of its own: a host asks less than one test. */
const fetchFromAnywhere = (url: string | URL, init: RequestInit = {}): Promise<Response> => {
  const headers = new Headers(init.headers);
  headers.set('X-Forwarded-For', nextAddress());
  return fetch(url, { ...init, headers });
};

/** Generation 2. */
export async function connect2(url: URL, mode: VersionNegotiationOptions['mode']): Promise<Connection> {
  const client = new Client(IDENTITY, mode === undefined ? {} : { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(url, { fetch: fetchFromAnywhere }));
  return { client, version: client.getNegotiatedProtocolVersion() };
}

/** Generation 1, which knows sessions and asks for a stream of its own. */
export async function connect1(url: URL): Promise<Connection> {
  const client = new Client1(IDENTITY);
  const transport = new Transport1(url, { fetch: fetchFromAnywhere });
  // Its own types disagree about optional properties.
  await client.connect(transport as Transport);
  return { client, version: transport.protocolVersion };
}
