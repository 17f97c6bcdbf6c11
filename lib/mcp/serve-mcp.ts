/**
 * MCP over stateless Streamable HTTP: both protocol eras on one address, only JSON answers. The SDK serves each message. This file adds
 * what the SDK leaves to its host, and what docs/content.md#mcp requires differently.
 */
import {
  createMcpHandler,
  isJSONRPCRequest,
  isJsonContentType,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { withoutQuotes, withPlainError } from './plain-error.ts';
import { showsViews } from './shows-views.ts';

/** The protocol version without sessions. Its clients may still begin with `initialize`. */
const STATELESS_VERSION = '2026-07-28';

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
/** A code from JSON-RPC's range for servers. */
const UNSUPPORTED_MEDIA_TYPE = -32000;

/** What a server is made for. */
export interface AskedServer {
  method: unknown;
  showsViews: boolean;
}

export interface McpEndpoint {
  /** Makes a new server for each message: an instance serves one exchange. */
  createServer: (asked: AskedServer) => McpServer;
  /** Receives internal faults and reasons for refusals. The answer doesn't contain them. */
  onError: (error: Error) => void;
}

interface Message {
  method?: unknown;
  id?: unknown;
  params?: unknown;
}

/** Answers a POST. The caller has already read the body, with a limit. Never throws. */
export async function serveMcp(request: Request, body: Uint8Array, endpoint: McpEndpoint): Promise<Response> {
  if (!isJsonContentType(request.headers.get('content-type'))) {
    return refuse(415, UNSUPPORTED_MEDIA_TYPE, 'Send the message as application/json.');
  }
  const parsed = parse(body);
  if (parsed === undefined) return refuse(400, PARSE_ERROR, 'The body is not JSON in UTF-8.');
  if (!isObject(parsed)) {
    return refuse(400, INVALID_REQUEST, 'Send one JSON-RPC message; batches are not part of the protocol.');
  }
  const message: Message = parsed;
  try {
    return await withPlainError(await serveMessage(request, message, endpoint));
  } catch (error) {
    endpoint.onError(error instanceof Error ? error : new Error('Something that is no Error was thrown.'));
    return refuse(500, -32603, 'Something went wrong on our side. It was logged.', message.id);
  }
}

async function serveMessage(request: Request, message: Message, endpoint: McpEndpoint): Promise<Response> {
  if (isStatelessHandshake(message)) return serveHandshake(request, message, endpoint);
  const bodiless = withoutBody(request);
  if (await isLegacyRequest(bodiless, message)) {
    if (!isStatelessAnswer(request, message)) return serveLegacy(bodiless, message, endpoint);
    // The SDK would serve it as the version before, which doesn't know this message.
    const text = 'Send a request or a notification: the server asked nothing.';
    return refuse(400, INVALID_REQUEST, text, message.id);
  }
  if (message.method === 'subscriptions/listen' && message.id !== undefined) {
    const text = 'There are no streams: nothing changes while you listen.';
    return refuse(404, METHOD_NOT_FOUND, text, message.id);
  }
  const onerror = (error: Error): void => endpoint.onError(withoutQuotes(error));
  const createServer = () => endpoint.createServer(askedBy(message));
  const handler = createMcpHandler(createServer, { legacy: 'reject', onerror });
  return handler.fetch(bodiless, { parsedBody: message });
}

const askedBy = (message: Message): AskedServer => ({
  method: message.method,
  showsViews: showsViews(message),
});

/** The SDK's own stateless fallback answers with SSE and refuses clients that accept only JSON. */
async function serveLegacy(request: Request, message: Message, endpoint: McpEndpoint): Promise<Response> {
  const server = endpoint.createServer(askedBy(message));
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  server.server.onerror = (error) => endpoint.onError(withoutQuotes(error));
  try {
    await server.connect(transport);
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

/** Answers `initialize` for the version without it. The SDK would answer with the version before, or refuse. */
async function serveHandshake(request: Request, message: Message, endpoint: McpEndpoint): Promise<Response> {
  const { _meta, ...params } = message.params as Record<string, unknown>;
  const response = await serveLegacy(withoutBody(request), { ...message, params }, endpoint);
  const answer: unknown = await response.json();
  if (!isObject(answer) || !('result' in answer) || !isObject(answer.result)) {
    return Response.json(answer, { status: response.status });
  }
  return Response.json({ ...answer, result: { ...answer.result, protocolVersion: STATELESS_VERSION } });
}

function isStatelessHandshake(message: Message): boolean {
  const { method, params } = message;
  return (
    method === 'initialize' &&
    isObject(params) &&
    'protocolVersion' in params &&
    params.protocolVersion === STATELESS_VERSION &&
    isJSONRPCRequest(message)
  );
}

const isStatelessAnswer = ({ headers }: Request, { method }: Message): boolean =>
  method === undefined && headers.get('mcp-protocol-version') === STATELESS_VERSION;

/** The SDK gets the parsed message instead of the body. `Accept` is replaced: there is only one type of answer. */
function withoutBody(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.set('Accept', 'application/json, text/event-stream');
  return new Request(request.url, { method: 'POST', headers });
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function refuse(status: number, code: number, message: string, id?: unknown): Response {
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: known }, { status });
}
