/** MCP messages that no client library sends, written byte for byte. */
import { expect } from 'vitest';
import { type Era, expectCommonHeaders, mcpRequest } from './client.ts';

export interface Parts {
  headers: Record<string, string>;
  message: Record<string, unknown>;
}

export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
export const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

/** A POST with this text, these bytes, or this object as JSON. */
export const post = (
  body: string | Uint8Array<ArrayBuffer> | object,
  headers: Record<string, string> = {},
): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...headers },
  body: typeof body === 'string' || isBytes(body) ? body : JSON.stringify(body),
});

const isBytes = (body: object): body is Uint8Array<ArrayBuffer> => body instanceof Uint8Array;

/** A valid request that `change` made invalid. */
export function changed(
  [method, params]: [string, Record<string, unknown>],
  era: Era,
  change: (parts: Parts) => void,
): RequestInit {
  const { headers, body } = mcpRequest(method, params, era);
  const parts: Parts = {
    headers: { ...(headers as Record<string, string>) },
    message: JSON.parse(String(body)),
  };
  change(parts);
  return { method: 'POST', headers: parts.headers, body: JSON.stringify(parts.message) };
}

/** A notification: a request without an id. */
export const notification = (method: string, era: Era): RequestInit =>
  changed([method, {}], era, ({ message }) => delete message.id);

/** `[[[...]]]` */
export const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** The `initialize` request for a version. */
export const initialize = (protocolVersion: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'wire', version: '1' } },
});

/** Expects an error with this status, code and id. */
export async function expectRefusal(
  response: Response,
  status: number,
  code: number,
  id: unknown = 1,
): Promise<void> {
  const text = await response.text();
  expect([response.status, text]).toEqual([status, expect.stringContaining(`"code":${code}`)]);
  expect(response.headers.get('Content-Type')).toMatch(/^application\/json/);
  const error = { code, message: expect.stringMatching(/./) };
  expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', id, error });
  expectCommonHeaders(response);
}

/** Expects a result and returns it. */
export async function expectResult(response: Response): Promise<Record<string, unknown>> {
  const body = await response.json();
  expect([response.status, body]).toEqual([200, { jsonrpc: '2.0', id: 1, result: expect.anything() }]);
  expect(response.headers.get('Content-Type')).toMatch(/^application\/json/);
  expect(response.headers.has('Mcp-Session-Id')).toBe(false);
  expectCommonHeaders(response);
  return body.result;
}

/** Expects the answer to a notification. */
export async function expectNothing(response: Response): Promise<void> {
  expect([response.status, await response.text()]).toEqual([202, '']);
}
