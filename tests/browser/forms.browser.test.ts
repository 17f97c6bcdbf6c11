import { expect, test } from 'vitest';
import { html } from './html.ts';
import { awaitLinks, useVisits, type Visit } from './visit.ts';

const visit = useVisits();
const STAY = 'onsubmit="event.preventDefault()"';

async function arrive(body: string, attributes = 'data-forms'): Promise<Visit> {
  const visitor = await visit();
  visitor.fixture.policy = () => ({ maxTier: 1 });
  visitor.fixture.pages['/'] = html({ attributes, body });
  visitor.fixture.pages['/search'] = '<!doctype html><title>Found</title>';
  await visitor.open();
  await expect.poll(() => visitor.fixture.events('pageview')).toHaveLength(1);
  await awaitLinks(visitor.page);
  return visitor;
}

test('by GET: its name and the path of its action, never what was filled in', async () => {
  const visitor = await arrive(
    '<form id="find" action="/search?from=top"><input name="id" id="q"><input name="action"><button>Go</button></form>',
  );
  await visitor.page.fill('#q', 'my secret');
  await visitor.page.click('button');
  await visitor.page.waitForURL(/search/);
  await expect
    .poll(() => visitor.sent())
    .toEqual([{ name: 'Form', props: { form: 'find', action: '/search' } }]);
  for (const { body } of visitor.fixture.calls('track')) expect(body).not.toMatch(/secret|from=top/);
});

for (const [what, body, props] of [
  [
    'by POST, named',
    `<form name="contact" method="post" action="/send" ${STAY}>`,
    { form: 'contact', action: '/send' },
  ],
  ['without name and action', `<form ${STAY}>`, { form: '', action: '/' }],
  [
    'whose page stops the event',
    '<form id="f" onsubmit="event.preventDefault();event.stopImmediatePropagation()">',
    { form: 'f', action: '/' },
  ],
] as const)
  test(what, async () => {
    const visitor = await arrive(`${body}<button>Go</button></form>`);
    await visitor.page.click('button');
    await expect.poll(() => visitor.sent()).toEqual([{ name: 'Form', props }]);
  });

test('added later', async () => {
  const visitor = await arrive('<p id="container"></p>');
  await visitor.page.evaluate((stay) => {
    const container = document.querySelector('#container');
    if (container) container.innerHTML = `<form id="late" ${stay}><button>Go</button></form>`;
  }, STAY);
  await visitor.page.click('button');
  await expect.poll(() => visitor.sent().map(({ props }) => props?.form)).toEqual(['late']);
});

test('invalid: not submitted, not sent', async () => {
  const visitor = await arrive(
    `<form ${STAY}><input id="mail" type="email" required><button>Go</button></form>`,
  );
  await visitor.page.click('button');
  await visitor.page.fill('#mail', 'nonsense');
  await visitor.page.click('button');
  await visitor.mark('end');
  expect(visitor.sent().map(({ name }) => name)).toEqual(['end']);
});

test('without the attribute nothing is sent of a form', async () => {
  const visitor = await arrive(`<form ${STAY}><button>Go</button></form>`, 'data-outbound');
  await visitor.page.click('button');
  await visitor.mark('end');
  expect(visitor.sent().map(({ name }) => name)).toEqual(['end']);
});
