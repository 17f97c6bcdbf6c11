import { expect, test } from 'vitest';
import { ELSEWHERE } from './chromium.ts';
import { html } from './html.ts';
import { awaitLinks, useVisits, type Visit } from './visit.ts';

const visit = useVisits();

async function arrive(body: string, attributes = ''): Promise<Visit> {
  const visitor = await visit();
  visitor.fixture.policy = () => ({ maxTier: 1 });
  visitor.fixture.pages['/'] = html({ attributes, body });
  await visitor.open();
  await expect.poll(() => visitor.fixture.events('pageview')).toHaveLength(1);
  if (attributes !== '' || body.includes('data-vendor-event')) await awaitLinks(visitor.page);
  return visitor;
}

const BUTTON =
  '<button type="button" data-vendor-event="Signup" data-vendor-prop-plan="pro" data-vendor-prop-paid-by="card"><i id="child">Sign up</i></button>';

test('a tagged element sends its event with its properties', async () => {
  const visitor = await arrive(BUTTON);
  await visitor.page.click('button');
  await expect
    .poll(() => visitor.sent())
    .toEqual([{ name: 'Signup', props: { plan: 'pro', 'paid-by': 'card' } }]);
});

test('clicked on a child: the same, once', async () => {
  const visitor = await arrive(BUTTON);
  await visitor.page.click('#child');
  await visitor.mark('end');
  expect(visitor.sent().map(({ name }) => name)).toEqual(['Signup', 'end']);
});

test('added later: the same, by a part that was not there until then', async () => {
  const visitor = await arrive('<p id="place"></p>');
  expect(visitor.fixture.parts()).toEqual([]);
  await visitor.page.evaluate((body) => {
    const place = document.querySelector('#place');
    if (place) place.innerHTML = body;
  }, BUTTON);
  await visitor.page.click('button');
  await expect.poll(() => visitor.sent().map(({ name }) => name)).toEqual(['Signup']);
  expect(visitor.fixture.parts()).toEqual(['links']);
});

test('a tagged form sends when it is submitted, not when it is clicked', async () => {
  const visitor = await arrive(
    '<form data-vendor-event="Search" data-vendor-prop-where="top" onsubmit="event.preventDefault()"><input name="q" id="q"><button>Go</button></form>',
    'data-forms',
  );
  await visitor.page.click('#q');
  await visitor.page.fill('#q', 'my secret');
  await visitor.page.click('button');
  await visitor.mark('end');
  expect(visitor.sent().slice(0, -1)).toEqual([{ name: 'Search', props: { where: 'top' } }]);
  for (const { body } of visitor.fixture.calls('track')) expect(body).not.toContain('secret');
});

test('a tagged link goes by its own name instead of the automatic one, and the page is left at once', async () => {
  const visitor = await arrive(
    `<a id="out" data-vendor-event="Partner" href="${ELSEWHERE}/x?y">Partner</a>`,
    'data-outbound',
  );
  await visitor.page.click('#out');
  await visitor.page.waitForURL(/elsewhere/);
  await expect.poll(() => visitor.sent()).toEqual([{ name: 'Partner', props: {} }]);
});

test('an element without a tag sends nothing', async () => {
  const visitor = await arrive(`<button type="button" id="plain">Plain</button>${BUTTON}`);
  await visitor.page.click('#plain');
  await visitor.mark('end');
  expect(visitor.sent().map(({ name }) => name)).toEqual(['end']);
});
