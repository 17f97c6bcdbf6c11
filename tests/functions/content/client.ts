/** Calls the content service as its clients do, over REST and over both eras of MCP. */
import { expect } from 'vitest';

export type Fetch = (path: string, init?: RequestInit & { address?: string }) => Promise<Response>;

let asked = 0;
/** An address that no other test uses, because limits count by address. */
export const nextAddress = (): string => {
  asked += 1;
  return `198.18.${asked >> 8}.${asked & 255}`;
};

export type Era = '2026-07-28' | '2025-11-25';
export const ERAS: readonly Era[] = ['2026-07-28', '2025-11-25'];

const META = 'io.modelcontextprotocol/';

export interface Message {
  jsonrpc: '2.0';
  id: number;
  method: string;
  params: Record<string, unknown>;
}

/** An MCP request as a client of this era sends it. */
export function mcpRequest(method: string, params: Record<string, unknown>, era: Era): RequestInit {
  const modern = era === '2026-07-28';
  const named = params.name ?? params.uri;
  const meta = { [`${META}protocolVersion`]: era, [`${META}clientCapabilities`]: {} };
  const message: Message = {
    jsonrpc: '2.0',
    id: 1,
    method,
    params: modern ? { ...params, _meta: meta } : params,
  };
  return {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'MCP-Protocol-Version': era,
      ...(modern && { 'Mcp-Method': method }),
      ...(modern && typeof named === 'string' && { 'Mcp-Name': headerText(named) }),
    },
    body: JSON.stringify(message),
  };
}

/** The protocol's encoding for text that a header can't contain. */
const headerText = (text: string): string =>
  /^[!-~]+$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;

export interface McpAnswer {
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
}

/** Sends an MCP request from a new address. */
export async function askMcp(
  fetch: Fetch,
  method: string,
  params: Record<string, unknown>,
  era: Era = '2026-07-28',
): Promise<McpAnswer> {
  const response = await fetch('/mcp', { ...mcpRequest(method, params, era), address: nextAddress() });
  return (await response.json()) as McpAnswer;
}

/** The answer of a tool: its object, or the object of its error. Checks that `text` is the same object as JSON. */
export async function callTool(
  fetch: Fetch,
  name: string,
  args: Record<string, unknown> = {},
  era?: Era,
): Promise<{ isError: boolean; answer: Record<string, unknown> }> {
  const { result, error } = await askMcp(fetch, 'tools/call', { name, arguments: args }, era);
  expect(error).toBeUndefined();
  const [content] = (result?.content ?? []) as { type: string; text: string }[];
  const answer = JSON.parse(content?.text ?? '') as Record<string, unknown>;
  const isError = result?.isError === true;
  if (!isError) expect(result?.structuredContent).toEqual(answer);
  else expect(result?.structuredContent).toBeUndefined();
  return { isError, answer };
}

type Query = Record<string, string | number | undefined>;

/** The path of a REST endpoint with a query, without parameters that are `undefined`. */
export function pathOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? path
    : `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

export const searchPath = (query: Query = {}): string => pathOf('/api/agent/search', query);
export const contentPath = (id: string, query: Query = {}): string =>
  pathOf(`/api/agent/content/${encodeURIComponent(id)}`, query);

/** Sends a REST request from a new address. */
export async function askRest(
  fetch: Fetch,
  path: string,
): Promise<{ status: number; headers: Headers; answer: Record<string, unknown> }> {
  const response = await fetch(path, { address: nextAddress() });
  const { status, headers } = response;
  return { status, headers, answer: (await response.json()) as Record<string, unknown> };
}

/** Expects an error: this status and code, the documented body, and the headers that every answer has. */
export async function expectError(response: Response, status: number, code: string): Promise<void> {
  const text = await response.text();
  expect([response.status, text]).toEqual([status, expect.stringContaining(`"code":"${code}"`)]);
  expect(JSON.parse(text)).toEqual({ error: { code, message: expect.stringMatching(/[.?]$/) } });
  expect(response.headers.get('Content-Type')).toMatch(/^application\/json/);
  expectCommonHeaders(response);
}

/** Expects the headers that every answer has. */
export function expectCommonHeaders({ headers }: Response): void {
  expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get('RateLimit-Policy')).toBe('"content";q=60;w=60');
  expect(headers.get('RateLimit')).toMatch(/^"content";r=\d+;t=\d+$/);
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
}

/** Expects the answer of a tool to be the documented error. */
export async function expectToolError(
  fetch: Fetch,
  name: string,
  args: Record<string, unknown>,
  code: string,
): Promise<void> {
  for (const era of ERAS) {
    expect(await callTool(fetch, name, args, era)).toEqual({
      isError: true,
      answer: { error: { code, message: expect.stringMatching(/[.?]$/) } },
    });
  }
}
