/** Views in chats: clients that show them get them, and others see no difference. */
import { expect, test } from 'vitest';
import { CHAT_VIEWS } from '../../../functions/mcp/chat-views.generated.ts';
import { createTenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { mcpRequest } from '../content/client.ts';
import { connect1, connect2, type McpClient } from '../content/mcp-clients.ts';
import { createAgent } from './agent.ts';

const stack = useStack();

const TYPE = 'text/html;profile=mcp-app';
const showing = (mimeTypes: string[]) => ({ extensions: { 'io.modelcontextprotocol/ui': { mimeTypes } } });
const VIEWS = { summarize_site: 'ui://vendor/site.html', get_trace: 'ui://vendor/trace.html' };

/** The three ways in which official clients begin. */
const WAYS = {
  'generation 1': connect1,
  'generation 2, 2025-11-25': (url: URL, headers: Record<string, string>, capabilities: object) =>
    connect2(url, 'legacy', headers, capabilities),
  'generation 2, 2026-07-28': (url: URL, headers: Record<string, string>, capabilities: object) =>
    connect2(url, { pin: '2026-07-28' }, headers, capabilities),
};

async function connectBy(
  way: keyof typeof WAYS,
  capabilities: object,
  scopes?: readonly string[],
): Promise<McpClient> {
  const { userId } = await createTenant(stack().sql);
  const { token } = await createAgent(stack(), userId, scopes && { scopes });
  const url = new URL('/mcp', stack().baseUrl);
  const { client } = await WAYS[way](url, { Authorization: `Bearer ${token}` }, capabilities);
  return client;
}

const namedViews = async (client: McpClient): Promise<object> =>
  Object.fromEntries(
    (await client.listTools()).tools.flatMap(({ name, _meta }) => (_meta ? [[name, _meta]] : [])),
  );
const namesOf = async (client: McpClient): Promise<string[]> =>
  (await client.listResources()).resources.map(({ name }) => name);

for (const way of Object.keys(WAYS) as (keyof typeof WAYS)[]) {
  test(`${way}: a client that shows views finds and reads them`, async () => {
    const client = await connectBy(way, showing([TYPE]));
    expect(client.getServerCapabilities()).toMatchObject(showing([TYPE]));
    expect(await namedViews(client)).toEqual(
      Object.fromEntries(Object.entries(VIEWS).map(([name, resourceUri]) => [name, { ui: { resourceUri } }])),
    );
    expect(await namesOf(client)).toEqual(['sites', 'environments', 'counting']);
    for (const [view, html] of Object.entries(CHAT_VIEWS)) {
      const uri = `ui://vendor/${view}.html`;
      const _meta = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } };
      expect((await client.readResource({ uri })).contents).toEqual([
        { uri, mimeType: TYPE, text: html, _meta },
      ]);
    }
    await client.close();
  });

  test(`${way}: others see no difference`, async () => {
    for (const capabilities of [{}, showing([]), showing(['text/html'])]) {
      const client = await connectBy(way, capabilities);
      expect(client.getServerCapabilities()).not.toHaveProperty('extensions');
      // Before 2026-07-28 no message but `initialize` says it, and the reference host leaves it out there.
      if (way === 'generation 2, 2026-07-28') expect(await namedViews(client)).toEqual({});
      expect(await namesOf(client)).toEqual(['sites', 'environments', 'counting']);
      expect((await client.listResourceTemplates()).resourceTemplates).toEqual([]);
      await client.close();
    }
  });

  test(`${way}: a token sees the views of its tools alone`, async () => {
    const client = await connectBy(way, showing([TYPE]), ['telemetry:read']);
    expect(await namedViews(client)).toEqual({ get_trace: { ui: { resourceUri: VIEWS.get_trace } } });
    await client.readResource({ uri: VIEWS.get_trace });
    await expect(client.readResource({ uri: VIEWS.summarize_site })).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });
}

test('without a token nobody reads a view', async () => {
  const response = await stack().fetch(
    '/mcp',
    mcpRequest('resources/read', { uri: VIEWS.get_trace }, '2026-07-28'),
  );
  expect(response.status).toBe(401);
});
