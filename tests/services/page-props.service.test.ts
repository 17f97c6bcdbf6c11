/** Properties of page views at each tier, from the tracker's request to the report. */
import { expect, test } from 'vitest';
import { createTenant } from '../security/tenant.ts';
import { useStack } from './use-stack.ts';

const stack = useStack();
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

test('page views keep their properties at each tier that stores them, and with Global Privacy Control at none', async () => {
  const { siteId, token } = await createTenant(stack().sql);
  await stack().sql`
    update sites
    set jurisdiction = 'PT', consent_mode = 'required', pre_consent_tier = 'sessions', retention_months = 25
    where id = ${siteId}`;
  const view = (author: unknown, more: object = {}, headers: Record<string, string> = {}) => {
    const event = {
      ...{ id: crypto.randomUUID(), type: 'pageview', pageId: crypto.randomUUID() },
      ...{ url: 'https://example.com/one', props: { author } },
    };
    return stack().fetch('/api/v1/track', {
      method: 'POST',
      body: JSON.stringify({ site: siteId, events: [event], ...more }),
      address: '203.0.113.79',
      headers: { 'Content-Type': 'text/plain;charset=UTF-8', 'User-Agent': CHROME, ...headers },
    });
  };
  const agreed = { consent: 'granted', visitorId: crypto.randomUUID() };
  await view('one', {}, { DNT: '1' });
  await view('two');
  await view('three', agreed);
  // What breaks a rule is left out; the page view counts.
  await view({ name: 'Ana' }, agreed);
  expect((await view('none', {}, { 'Sec-GPC': '1' })).status).toBe(204);

  const ask = async (query: string) => {
    const response = await stack().fetch(`/api/v1/sites/${siteId}/analytics/${query}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    return ((await response.json()) as { data: { value: string }[] }).data;
  };
  const authors = async (tier: number) =>
    (await ask(`page-props?key=author&period=24h&filter_privacy_tier=${tier}`)).map(({ value }) => value);
  await expect.poll(() => authors(3)).toEqual(['three']);
  expect([await authors(1), await authors(2)]).toEqual([['one'], ['two']]);
  expect(await ask('overview?period=24h')).toMatchObject({ pageviews: 4 });
  expect(await ask('overview?period=24h&filter_prop_author=three')).toMatchObject({
    visits: 1,
    pageviews: 2,
  });
});
