/** `npm run bench -- scale`: the service takes each of its questions, so that none is measured by how fast it is refused. */
import { expect, test } from 'vitest';
import { questionsAtSize } from '../../bench/scale/questions.ts';
import { addFunnel } from '../security/definitions.ts';
import { createTenant } from '../security/tenant.ts';
import { useStack } from '../services/use-stack.ts';

const stack = useStack();

test('each question is answered', async () => {
  const { sql } = stack();
  const { cookie, projectId, siteId } = await createTenant(sql);
  const funnelId = await addFunnel(sql, siteId, {
    name: 'Way',
    steps: [{ page: '/' }, { event: 'purchase' }],
  });
  const [environment] =
    await sql`insert into environments (project_id, name) values (${projectId}, 'live') returning id`;
  const questions = questionsAtSize({
    ...{ largeSite: siteId, smallSite: siteId, funnelId, projectId, span: 1 },
    environmentId: environment?.id,
  });
  const refused: string[] = [];
  for (const { name, path } of questions) {
    const { status } = await stack().fetch(path, { headers: { Cookie: cookie } });
    if (status !== 200) refused.push(`${name}: ${status}`);
  }
  // No span is stored.
  expect(refused).toEqual(['a trace: 404']);
});
