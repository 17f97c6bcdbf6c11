/** Resources and prompts: which a token sees, and what they say. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toolNamed } from '../../../functions/mcp/tool-list.ts';
import { ROOT } from '../../../tooling/deployment.ts';
import { createTenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { type Agent, createAgent } from './agent.ts';

const stack = useStack();

const ask = async ({ send }: Agent, method: string, params: Record<string, unknown> = {}) =>
  (await (await send(method, params)).json()) as ReturnType<typeof JSON.parse>;

async function createReader(scopes?: readonly string[]) {
  const tenant = await createTenant(stack().sql);
  await stack().sql`insert into environments (project_id, name) values (${tenant.projectId}, 'live')`;
  return { tenant, agent: await createAgent(stack(), tenant.userId, scopes && { scopes }) };
}

test('sites and environments are those that the token opens; counting is the document', async () => {
  const { agent, tenant } = await createReader();
  const { result } = await ask(agent, 'resources/list');
  expect(result.resources.map(({ uri }: { uri: string }) => uri)).toEqual([
    'vendor://sites',
    'vendor://environments',
    'vendor://counting',
  ]);
  const read = async (uri: string) =>
    (await ask(agent, 'resources/read', { uri })).result.contents[0] as { text: string; mimeType: string };
  expect(JSON.parse((await read('vendor://sites')).text).data).toEqual({
    sites: [expect.objectContaining({ id: tenant.siteId, domain: 'example.com' })],
  });
  expect(JSON.parse((await read('vendor://environments')).text).data).toMatchObject({
    environments: [{ name: expect.stringMatching(/.\/live$/) }],
  });
  const { text, mimeType } = await read('vendor://counting');
  const document = await readFile(join(ROOT, 'docs/counting.md'), 'utf8');
  expect(mimeType).toBe('text/markdown');
  expect(text.length).toBeLessThanOrEqual(8192);
  const sectionsOf = (page: string) => [...page.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  // No tool has parts of a series.
  expect(sectionsOf(text)).toEqual(sectionsOf(document).filter((title) => title !== 'Parts of a series'));
  expect(text).not.toMatch(
    /\]\(|filter_|meta\.|`(?:overview|timeseries|dropped)`|npm run|tests\/|[A-Z]{3,}_[A-Z]{3,}/,
  );
});

test('a token without the scope sees neither the resource nor the prompt', async () => {
  const { agent } = await createReader(['outcomes:read']);
  const { result } = await ask(agent, 'resources/list');
  expect(result.resources.map(({ name }: { name: string }) => name)).toEqual(['environments', 'counting']);
  for (const uri of ['vendor://sites', 'vendor://nothing'])
    expect((await ask(agent, 'resources/read', { uri })).error.code).toBe(-32602);
  expect((await ask(agent, 'prompts/list')).result.prompts).toEqual([]);
  expect((await ask(agent, 'prompts/get', { name: 'review_week' })).error.code).toBe(-32602);
});

const LANGUAGES = { en: 'Review', es: 'Revisa', 'pt-PT': 'Revê', pt: 'Revê' };

test.each(Object.entries(LANGUAGES))(
  'prompts in %s name only tools that there are',
  async (language, first) => {
    const { agent } = await createReader();
    const { result } = await ask(agent, 'prompts/list');
    expect(result.prompts.map(({ name }: { name: string }) => name)).toEqual([
      'review_week',
      'investigate_incident',
    ]);
    for (const prompt of result.prompts as {
      name: string;
      arguments: { name: string; required?: boolean }[];
    }[]) {
      expect(prompt.arguments.every(({ required }) => required !== true)).toBe(true);
      const named = Object.fromEntries(
        prompt.arguments.map(({ name }) => [name, name === 'language' ? language : `my "${name}"`]),
      );
      for (const args of [{ language }, named]) {
        const { messages } = (await ask(agent, 'prompts/get', { name: prompt.name, arguments: args })).result;
        const { text } = messages[0].content as { text: string };
        if (prompt.name === 'review_week') expect(text).toMatch(new RegExp(`^${first} `));
        const tools = [...text.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, name]) => name);
        expect(tools.length).toBeGreaterThan(3);
        for (const tool of tools) expect(toolNamed(tool)?.name).toBe(tool);
        for (const { name } of prompt.arguments)
          expect(text.includes(`"my \\"${name}\\""`)).toBe(args === named && name !== 'language');
      }
    }
  },
);

test('arguments of a prompt are checked, and the error doesn’t repeat them', async () => {
  const { agent } = await createReader();
  for (const args of [{ language: 'S3CRET' }, { site: 'S3CRET'.repeat(100) }, { S3CRET: 'a' }]) {
    const { error } = await ask(agent, 'prompts/get', { name: 'review_week', arguments: args });
    expect([error.code, JSON.stringify(error).includes('S3CRET')]).toEqual([-32602, false]);
  }
});
