/** What errors tell an agent to try next (docs/content.md#errors). */
import { beforeAll, expect, test } from 'vitest';
import { askRest, callTool, contentPath, type Fetch, nextAddress } from './client.ts';
import { SAMPLE_ENTRIES, SAMPLE_GUIDES, sampleEntry, sampleGuide } from './content-samples.ts';
import { publish, startService } from './node-service.ts';

let fetch: Fetch;
beforeAll(async () => {
  const secret = sampleEntry({ type: 'service', slug: 'secret', title: 'Secret plan', isPublic: false });
  ({ fetch } = await startService({ entries: [...SAMPLE_ENTRIES, secret] }));
  await publish([...SAMPLE_GUIDES, sampleGuide('acentuação', 'pt-PT', { title: 'Acentos' })]);
});

type Case = [what: string, tool: string, args: Record<string, unknown>, code: string, message: string];

const CASES: Case[] = [
  [
    'a guide without `guide:`',
    'get_guide',
    { id: 'tides' },
    'invalid_input',
    '`id` must be `guide:` and the guide’s slug of letters, digits, underscores, colons and hyphens. Did you mean `guide:tides`?',
  ],
  [
    'a slug for an id',
    'get_content',
    { id: 'harbour' },
    'not_found',
    'No such content. Did you mean `service:harbour:en` or `service:harbour:es`?',
  ],
  [
    'an id without its language',
    'get_content',
    { id: 'product:buoy' },
    'not_found',
    'No such content. Did you mean `product:buoy:en`?',
  ],
  [
    'another type',
    'get_content',
    { id: 'product:salt:en' },
    'not_found',
    'No such content. Did you mean `case-study:salt:en`?',
  ],
  [
    'another case',
    'get_service',
    { slug: 'Harbour' },
    'not_found',
    'No such content. Did you mean `service:harbour:en` or `service:harbour:es`?',
  ],
  [
    'an id for a slug',
    'get_service',
    { slug: 'service:harbour:en' },
    'not_found',
    'No such content. Did you mean `service:harbour:en` or `service:harbour:es`?',
  ],
  [
    'a title for a slug',
    'get_case_study',
    { slug: 'Salt museum' },
    'invalid_input',
    '`slug` must have only letters, digits, underscores, colons and hyphens. Did you mean `case-study:salt:en`?',
  ],
  [
    'a title with a typing error for an id',
    'get_content',
    { id: 'reading tides in a harbor' },
    'invalid_input',
    '`id` must have only letters, digits, underscores, colons and hyphens. Did you mean `guide:tides`?',
  ],
  [
    'nothing like it',
    'get_content',
    { id: 'guide:nothing' },
    'not_found',
    'No such content. Search or list the content for its id.',
  ],
  [
    'what isn’t public',
    'get_content',
    { id: 'secret' },
    'not_found',
    'No such content. Search or list the content for its id.',
  ],
  [
    'a guide in a language that it lacks',
    'get_guide',
    { id: 'guide:tides', language: 'pt-PT' },
    'not_found',
    'This guide isn’t in that language. The content is in en, es. Ask for it with `language`.',
  ],
  [
    'a guide that isn’t in English',
    'get_guide',
    { id: 'guide:ventos' },
    'not_found',
    'This guide isn’t in that language. The content is in pt-PT. Ask for it with `language`.',
  ],
  [
    'an id of another language',
    'get_content',
    { id: 'service:harbour:en', language: 'es' },
    'not_found',
    'This id isn’t in that language. The content is in en, es. Did you mean `service:harbour:es`?',
  ],
  [
    'an id in a language that it lacks',
    'get_content',
    { id: 'product:buoy:en', language: 'es' },
    'not_found',
    'This id isn’t in that language. The content is in en. Did you mean `product:buoy:en`?',
  ],
  [
    'a language that there is none of',
    'list_services',
    { language: 'fr' },
    'not_found',
    'There is no content in this language. There is content in en, es and pt-PT.',
  ],
  [
    'an unknown property named cursor',
    'get_service',
    { slug: 'harbour', cursor: 'x' },
    'invalid_input',
    '`cursor` is not a known field.',
  ],
];

test.each(CASES)('%s', async (_, tool, args, code, message) => {
  const { answer } = await callTool(fetch, tool, args);
  expect(answer).toEqual({ error: { code, message } });
  const { id, ...query } = args as { id?: string; language?: string };
  if (tool === 'get_content' && code === 'not_found' && id !== undefined)
    expect((await askRest(fetch, contentPath(id, query))).answer).toEqual({ error: { code, message } });
});

test('an id with its accents apart is the same id', async () => {
  const apart = 'guide:acentuação'.normalize('NFD');
  const { answer } = await callTool(fetch, 'get_guide', { id: apart, language: 'pt-PT' });
  expect(answer).toMatchObject({ id: 'guide:acentuação' });
  expect((await askRest(fetch, contentPath(apart, { language: 'pt-PT' }))).answer).toMatchObject({
    id: 'guide:acentuação',
  });
  expect(
    (await callTool(fetch, 'get_service', { slug: 'maré'.normalize('NFD'), language: 'pt-PT' })).answer,
  ).toMatchObject({
    id: 'service:maré:pt-PT',
  });
});

interface Operation {
  parameters: { name: string; in: string; example?: unknown }[];
  requestBody?: { content: Record<string, { examples?: Record<string, { value: unknown }> }> };
}

test('the service accepts every request that its document shows', async () => {
  const response = await fetch('/openapi.json', { address: nextAddress() });
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, Operation>> };
  let sent = 0;
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { requestBody }] of Object.entries(methods))
      for (const [type, { examples = {} }] of Object.entries(requestBody?.content ?? {}))
        for (const [name, { value }] of Object.entries(examples)) {
          const answer = await fetch(path, {
            method,
            headers: { 'Content-Type': type },
            body: JSON.stringify(value),
            address: nextAddress(),
          });
          expect([name, answer.ok, await answer.text()]).toEqual([
            name,
            true,
            expect.not.stringContaining('"error"'),
          ]);
          sent += 1;
        }
  expect(sent).toBeGreaterThan(0);
});

test('the document has the headers of the protocol’s newest version', async () => {
  const response = await fetch('/openapi.json', { address: nextAddress() });
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, Operation>> };
  const headers = paths['/mcp']?.post?.parameters.filter((parameter) => parameter.in === 'header');
  expect(headers?.map(({ name }) => name)).toEqual(['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name']);
});
