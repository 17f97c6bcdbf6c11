/** The service with public MCP clients: every tool, every resource, and all pages of a long guide. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fromJsonSchema } from '@modelcontextprotocol/server';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../lib/languages.ts';
import { ROOT } from '../../../tooling/deployment.ts';
import { useStack } from '../../services/use-stack.ts';
import { type Connection, connect1, connect2, type McpClient } from './mcp-clients.ts';

const stack = useStack();

const CLIENTS: [string, string, (url: URL) => Promise<Connection>][] = [
  ['client 2, which finds out', '2026-07-28', (url) => connect2(url, 'auto')],
  ['client 2, held to 2026-07-28', '2026-07-28', (url) => connect2(url, { pin: '2026-07-28' })],
  ['client 2, held to 2025', '2025-11-25', (url) => connect2(url, 'legacy')],
  ['client 2, as it comes', '2025-11-25', (url) => connect2(url, undefined)],
  ['sdk 1', '2025-11-25', connect1],
];

const CALLS: Record<string, Record<string, unknown>[]> = {
  search_content: [{}, { query: 'accessib', limit: 3 }, { type: 'guide', language: 'pt-PT' }],
  get_content: [
    { id: 'service:website-design:pt-PT' },
    { id: 'product:maré:en' },
    { id: 'guide:web-glossary' },
  ],
  get_guide: [{ id: 'guide:writing-for-the-web', language: 'es' }],
  list_services: [{}, { language: 'es' }],
  get_service: [{ slug: 'website-design' }],
  get_case_study: [{ slug: 'museu-do-sal', language: 'pt-PT' }],
  get_business_info: LANGUAGES.map((language) => ({ language })),
};

const TEMPLATES = [
  'vendor://business/{language}',
  'vendor://services/{language}',
  'vendor://guides/{language}/{id}',
];
const LISTED = TEMPLATES.slice(0, 2).flatMap((template) =>
  LANGUAGES.map((language) => template.replace('{language}', language)),
);
const GUIDES = LANGUAGES.map((language) => `vendor://guides/${language}/guide%3Awriting-for-the-web`);

/** Maximum cost of what every conversation begins with. */
const TOKENS = 4_500;
/** Roughly. */
const CHARACTERS_PER_TOKEN = 4;

const Answer = v.object({
  isError: v.optional(v.literal(false)),
  content: v.strictTuple([v.object({ type: v.literal('text'), text: v.string() })]),
  structuredContent: v.record(v.string(), v.unknown()),
});

/** Calls a tool. Returns its object, and expects its text to be the same object as JSON. */
async function call(client: McpClient, name: string, args: Record<string, unknown>) {
  const { content, structuredContent } = v.parse(Answer, await client.callTool({ name, arguments: args }));
  expect(content[0].text).toBe(JSON.stringify(structuredContent));
  return structuredContent;
}

describe.each(CLIENTS)('%s', (_, version, connect) => {
  let connection: Connection | undefined;
  const client = (): McpClient => {
    if (connection === undefined) throw new Error('there is no connection');
    return connection.client;
  };

  beforeAll(async () => {
    connection = await connect(new URL('/mcp', stack().contentUrl));
  });
  afterAll(() => connection?.client.close());

  test('agrees on the version and hears who answers', () => {
    expect(connection?.version).toBe(version);
    expect(client().getServerVersion()).toMatchObject({ name: 'vendor-content', version: '1.0.0' });
    expect(client().getInstructions()).toContain('`search_content`');
    expect(Object.keys(client().getServerCapabilities() ?? {}).sort()).toEqual([
      'completions',
      'resources',
      'tools',
    ]);
  });

  test('lists the tools and calls each, which answers what it promises', async () => {
    const { tools } = await client().listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(CALLS).sort());
    for (const { name, outputSchema = false } of tools) {
      const promise = fromJsonSchema({ ...outputSchema });
      for (const args of CALLS[name] ?? []) {
        const answer = await call(client(), name, args);
        expect(await promise['~standard'].validate(answer)).not.toHaveProperty('issues');
      }
    }
  });

  test('hears of its mistakes in words', async () => {
    const mistakes = [{ id: 'guide:no-such' }, { id: 'guide:web-glossary', page: 2 }];
    for (const args of mistakes) {
      expect(await client().callTool({ name: 'get_guide', arguments: args })).toMatchObject({
        isError: true,
        content: [{ type: 'text', text: expect.stringMatching(/^\{"error":\{"code":"\w+","message":/) }],
      });
    }
    await expect(client().readResource({ uri: 'vendor://services/fr' })).rejects.toThrow(/not found/i);
    await expect(client().callTool({ name: 'no_such_tool', arguments: {} })).rejects.toThrow(/not found/);
  });

  test('lists the resources and reads each, a guide too', async () => {
    const { resources } = await client().listResources();
    expect(resources.map(({ uri }) => uri).sort()).toEqual([...LISTED].sort());
    for (const uri of [...LISTED, ...GUIDES]) {
      const { contents } = await client().readResource({ uri });
      expect(contents).toEqual([{ uri, mimeType: 'application/json', text: expect.any(String) }]);
      const [, kind, language = ''] = uri.match(/^vendor:\/\/(\w+)\/([\w-]+)/) ?? [];
      const [tool, args] =
        kind === 'guides'
          ? ['get_guide', { id: 'guide:writing-for-the-web', language }]
          : [kind === 'business' ? 'get_business_info' : 'list_services', { language }];
      expect(contents).toMatchObject([{ text: JSON.stringify(await call(client(), tool, args)) }]);
    }
  });

  test('lists the templates and completes their variables', async () => {
    const { resourceTemplates } = await client().listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate).sort()).toEqual([...TEMPLATES].sort());
    const complete = async (uri: string, name: string, value: string, language?: string) => {
      const { completion } = await client().complete({
        ref: { type: 'ref/resource', uri },
        argument: { name, value },
        ...(language !== undefined && { context: { arguments: { language } } }),
      });
      return completion.values;
    };
    for (const uri of TEMPLATES) {
      expect(await complete(uri, 'language', '')).toEqual([...LANGUAGES]);
      expect(await complete(uri, 'language', 'p')).toEqual(['pt-PT']);
    }
    const guides = TEMPLATES[2] ?? '';
    expect(await complete(guides, 'id', 'guide:web-', 'en')).toEqual(['guide:web-glossary']);
    expect(await complete(guides, 'id', 'guide:web-', 'es')).toEqual([]);
    expect(await complete(guides, 'id', 'guide:wr', 'es')).toEqual(['guide:writing-for-the-web']);
  });

  test('reads a long guide, page by page', async () => {
    const file = await readFile(join(ROOT, 'content/guides/web-glossary/en.md'), 'utf8');
    const body = file.slice(file.indexOf('\n---\n') + '\n---\n'.length);
    const id = 'guide:web-glossary';
    const pages: unknown[] = [];
    let page = await call(client(), 'get_guide', { id });
    pages.push(page.text);
    while (page.nextCursor !== null) {
      page = await call(client(), 'get_guide', { id, cursor: page.nextCursor });
      pages.push(page.text);
    }
    expect(pages.length).toBeGreaterThanOrEqual(3);
    expect(pages.join('')).toBe(body.trim());
  });
});

test('the tools cost an agent little to know', async () => {
  const { client } = await connect2(new URL('/mcp', stack().contentUrl), 'auto');
  const { tools } = await client.listTools();
  await client.close();
  const tokens = Math.round(JSON.stringify(tools).length / CHARACTERS_PER_TOKEN);
  console.log(`tools/list: about ${tokens} tokens of ${TOKENS}`);
  expect(tokens).toBeLessThanOrEqual(TOKENS);
});
