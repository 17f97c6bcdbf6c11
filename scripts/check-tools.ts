/**
 * Ends with 1 if the list of an agent's tools is too long: each conversation pays for it (docs/mcp.md#what-it-costs-in-tokens). Counts what `tools/list`
 * answers, with the tokenizer o200k.
 */
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import type { AgentContext, Scope } from '../functions/mcp/agent-context.ts';
import { createAnalyticsServer, instructionsAt } from '../functions/mcp/analytics-server.ts';
import { toolsOf } from '../functions/mcp/tool-list.ts';
import { serveMcp } from '../lib/mcp/serve-mcp.ts';
import { describeUse } from '../tooling/budget.ts';

const READING: readonly Scope[] = ['sites:read', 'analytics:read', 'telemetry:read', 'outcomes:read'];
const ALL: readonly Scope[] = [...READING, 'control:write', 'view:write'];
const LISTS: readonly { name: string; scopes: readonly Scope[]; maxTokens: number; showsViews?: boolean }[] =
  [
    { name: 'all scopes', scopes: ALL, maxTokens: 4000 },
    { name: 'all scopes, with views', scopes: ALL, maxTokens: 4000, showsViews: true },
    { name: 'scopes that read', scopes: READING, maxTokens: 3200 },
  ];
const MAX_TOOLS = 25;
const MAX_INSTRUCTION_BYTES = 2048;

const tokenizer = new Tiktoken(o200k);
const countTokens = (text: string): number => tokenizer.encode(text, [], []).length;

/** The list on the wire. */
async function listTools(scopes: readonly Scope[], showsViews: boolean): Promise<unknown[]> {
  const actor = { kind: 'queryToken', tokenId: '', userId: '', scopes, projectIds: null, siteIds: null };
  // Listing calls no tool, so there is nothing that a database would answer.
  const ctx = { actor, now: Date.now } as unknown as AgentContext;
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'MCP-Protocol-Version': '2025-11-25' },
  });
  const response = await serveMcp(request, new TextEncoder().encode(JSON.stringify(message)), {
    createServer: () =>
      createAnalyticsServer({
        ctx,
        tools: toolsOf(ctx),
        asked: { method: message.method, showsViews },
        describe: () => ({ code: 'INTERNAL_ERROR', message: '' }),
      }),
    onError: (error) => {
      throw error;
    },
  });
  const { result } = (await response.json()) as { result: { tools: unknown[] } };
  return result.tools;
}

function report(what: string, count: number, most: number): void {
  console.log(`${what}: ${describeUse(count, most)}`);
  if (count > most) process.exitCode = 1;
}

for (const { name, scopes, maxTokens, showsViews = false } of LISTS) {
  const tools = await listTools(scopes, showsViews);
  report(
    `tokens of tools/list, ${name} (${tools.length} tools)`,
    countTokens(JSON.stringify(tools)),
    maxTokens,
  );
  report(`tools, ${name}`, tools.length, MAX_TOOLS);
}
report('bytes of the instructions', Buffer.byteLength(instructionsAt(Date.now())), MAX_INSTRUCTION_BYTES);
