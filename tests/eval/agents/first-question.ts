/** An agent that answers every question as if it were for the visitors of the last 7 days. */
import { json } from 'node:stream/consumers';
import type { AgentTask } from '../../../eval/ask-agent.ts';

const { mcp } = (await json(process.stdin)) as AgentTask;
const response = await fetch(mcp.url, {
  method: 'POST',
  headers: {
    ...mcp.headers,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2025-11-25',
  },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'summarize_site', arguments: { period: '7d' } },
  }),
});
const { result } = (await response.json()) as { result: { content: [{ text: string }] } };
const { totals } = JSON.parse(result.content[0].text).data;
process.stdout.write(JSON.stringify({ visitors: totals.visitors, changePercent: totals.visitorsChange }));
