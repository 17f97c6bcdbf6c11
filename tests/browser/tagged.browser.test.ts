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
  const visitor = await arrive('<p id="container"></p>');
  expect(visitor.fixture.parts()).toEqual([]);
  await visitor.page.evaluate((body) => {
    const container = document.querySelector('#container');
    if (container) container.innerHTML = body;
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

const STAY = 'onclick="event.preventDefault()"';

/** What is sent of the clicks, in their order. */
async function click(visitor: Visit, ...ids: string[]): Promise<string[]> {
  for (const id of ids) await visitor.page.click(`#${id}`);
  await visitor.mark('end');
  return visitor
    .sent()
    .map(({ name }) => name)
    .slice(0, -1);
}

test('one within the other: one click is one event, that of the innermost', async () => {
  const visitor = await arrive(
    `<section data-vendor-event="Card"><p id="text">Text</p>
       <button id="buy" type="button" data-vendor-event="Buy"><i id="child">Buy</i></button></section>`,
  );
  expect(await click(visitor, 'buy', 'child', 'text')).toEqual(['Buy', 'Buy', 'Card']);
});

test('a link to elsewhere: the tag alone, also where only a child has it', async () => {
  const visitor = await arrive(
    `<a id="tagged" data-vendor-event="Partner" href="${ELSEWHERE}/" ${STAY}>Partner</a>
     <a href="${ELSEWHERE}/" ${STAY}><b id="child" data-vendor-event="Logo">Logo</b></a>`,
    'data-outbound',
  );
  expect(await click(visitor, 'tagged', 'child')).toEqual(['Partner', 'Logo']);
});

test('a link to elsewhere in a tagged element is the innermost that has an event, if such links are asked for', async () => {
  const body = `<div data-vendor-event="Card"><a id="out" href="${ELSEWHERE}/" ${STAY}>Out</a></div>`;
  expect(await click(await arrive(body, 'data-outbound'), 'out')).toEqual(['Outbound link']);
  expect(await click(await arrive(body), 'out')).toEqual(['Card']);
});

const FORM =
  '<form id="f" onsubmit="event.preventDefault()"><input id="field" name="q"><button id="go">Go</button></form>';

test('a form in a tagged element sends the event when it is submitted, not at each click into it', async () => {
  const visitor = await arrive(`<div data-vendor-event="Signup" data-vendor-prop-where="top">${FORM}</div>`);
  expect(await click(visitor, 'field', 'field', 'go')).toEqual(['Signup']);
  expect(visitor.sent()[0]?.props).toEqual({ where: 'top' });
});

test('the same with forms asked for: the form is the innermost', async () => {
  const visitor = await arrive(`<div data-vendor-event="Signup">${FORM}</div>`, 'data-forms');
  expect(await click(visitor, 'field', 'go')).toEqual(['Form']);
});

test('a tagged element in a form is clicked as any other', async () => {
  const visitor = await arrive(
    `<form data-vendor-event="Sent" onsubmit="event.preventDefault()">
       <button id="help" type="button" data-vendor-event="Help">?</button></form>`,
  );
  expect(await click(visitor, 'help')).toEqual(['Help']);
});

test('an address that is none changes nothing for a tagged link', async () => {
  const visitor = await arrive(
    `<a id="broken" data-vendor-event="Broken" href="https://[" ${STAY}>Broken</a>`,
  );
  expect(await click(visitor, 'broken')).toEqual(['Broken']);
});

test('a form with fields of any name, and with an action that is no address', async () => {
  const visitor = await arrive(
    `<form id="f" data-vendor-event="Sent" action="https://[" onsubmit="event.preventDefault()">
       <input name="attributes"><input name="localName"><input name="getAttribute"><input name="action"></form>`,
  );
  await visitor.page.evaluate(() =>
    HTMLFormElement.prototype.requestSubmit.call(document.querySelector('#f')),
  );
  await expect.poll(() => visitor.sent().map(({ name }) => name)).toEqual(['Sent']);
});

test('revenue of a tagged element is an amount and a currency', async () => {
  const visitor = await arrive(
    '<button type="button" data-vendor-event="Buy" data-vendor-prop-plan="pro" data-vendor-revenue="12.34 EUR">Buy</button>' +
      '<i data-vendor-event="Bad" data-vendor-revenue="a lot">Bad</i>',
  );
  await visitor.page.click('button');
  await visitor.page.click('i');
  await expect.poll(() => visitor.sent()).toHaveLength(2);
  expect(visitor.fixture.events('event').filter(({ name }) => /^B/.test(name))).toMatchObject([
    { name: 'Buy', props: { plan: 'pro' }, revenue: { amount: '12.34', currency: 'EUR' } },
    { name: 'Bad' },
  ]);
  await expect
    .poll(() => visitor.noise)
    .toEqual([
      'Vendor: revenue must be an amount, not negative, and a currency of ISO 4217; it was left out.',
    ]);
});
