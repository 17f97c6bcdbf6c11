import { expect, test } from 'vitest';
import { html } from './html.ts';
import { useVisits, type Visit } from './visit.ts';

const visit = useVisits();

/** Paths and routes of the page views until now, in order. */
const viewed = ({ fixture }: Visit): string[] =>
  fixture.events('pageview').map(({ url }) => url.slice(fixture.origin.length));

/** All page views, read when no further one can come. */
async function finallyViewed(visitor: Visit): Promise<string[]> {
  await visitor.leave();
  return viewed(visitor);
}

test('one page view on load', async () => {
  const visitor = await visit();
  await visitor.hear();
  expect(await finallyViewed(visitor)).toEqual(['/']);
});

test('pushState, replaceState, back and forward each count once; the referrer is the page before', async () => {
  const visitor = await visit();
  const { fixture, page, hear } = visitor;
  await hear();
  await page.evaluate(() => history.pushState({}, '', '/a?x=1'));
  await page.evaluate(() => history.replaceState({}, '', '/b'));
  await page.goBack();
  await page.goForward();
  await visitor.leave();
  const { origin } = fixture;
  // The requests follow so closely that they may arrive in another order.
  expect(
    fixture
      .events('pageview')
      .map(({ referrer, url }) => [referrer, url].map((each) => each?.replace(origin, '')))
      .sort(),
  ).toEqual([
    ['', '/'],
    ['/', '/a?x=1'],
    ['/', '/b'],
    ['/a?x=1', '/b'],
    ['/b', '/'],
  ]);
  expect(new Set(fixture.events('pageview').map(({ pageId }) => pageId)).size).toBe(5);
});

test('the page keeps what it calls: history works as before, and its state arrives', async () => {
  const { page, hear } = await visit();
  await hear();
  const state = await page.evaluate(() => {
    history.pushState({ from: 'the page' }, '', '/a');
    return { state: history.state, path: location.pathname, length: history.length };
  });
  expect(state).toMatchObject({ state: { from: 'the page' }, path: '/a' });
  const refused = await page.evaluate(() => {
    try {
      history.pushState({}, '', 'https://elsewhere.example/');
      return 'allowed';
    } catch (error) {
      return (error as Error).name;
    }
  });
  expect(refused).toBe('SecurityError');
});

test('the same address again is no page view', async () => {
  const visitor = await visit();
  await visitor.hear();
  await visitor.page.evaluate(() => {
    history.replaceState({ scroll: 1 }, '', location.href);
    history.pushState({}, '', '/');
    history.replaceState({}, '');
  });
  expect(await finallyViewed(visitor)).toEqual(['/']);
});

test('fragments are ignored and cut', async () => {
  const visitor = await visit();
  const { fixture, page, open } = visitor;
  fixture.pages['/'] = html({ body: '<a id="anchor" href="#part">part</a><p id="part"></p>' });
  await open('/#part');
  await expect.poll(() => viewed(visitor)).toEqual(['/']);
  await page.click('#anchor');
  await page.evaluate(() => {
    location.hash = '#/route';
    history.pushState({}, '', '#other');
  });
  expect(await finallyViewed(visitor)).toEqual(['/']);
});

test('data-hash: routes count once each, plain anchors never', async () => {
  const visitor = await visit();
  const { fixture, page, open } = visitor;
  fixture.pages['/'] = html({
    attributes: 'data-hash',
    body: '<a id="route" href="#/one">1</a>',
  });
  await open('/#/start');
  await expect.poll(() => viewed(visitor)).toEqual(['/#/start']);
  await page.click('#route');
  await expect.poll(() => viewed(visitor)).toHaveLength(2);
  await page.evaluate(() => {
    location.hash = '#!/two';
  });
  await expect.poll(() => viewed(visitor)).toHaveLength(3);
  await page.goBack();
  await expect.poll(() => viewed(visitor)).toHaveLength(4);
  expect(await finallyViewed(visitor)).toEqual(['/#/start', '/#/one', '/#!/two', '/#/one']);
});

test('a plain anchor on a plain page is no view with data-hash either', async () => {
  const visitor = await visit();
  const { fixture, page, hear } = visitor;
  fixture.pages['/'] = html({ attributes: 'data-hash', body: '<a href="#part">part</a>' });
  await hear();
  await page.click('a');
  expect(await finallyViewed(visitor)).toEqual(['/']);
});

test('the title is that of the new page, although routers set it after the address', async () => {
  const visitor = await visit();
  await visitor.hear();
  // Nothing waits any more for which the next page view would be sent earlier: a timer that was set later, for longer, has ended.
  await visitor.mark('before');
  await visitor.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
  await visitor.page.evaluate(() => {
    history.pushState({}, '', '/a');
    setTimeout(() => {
      document.title = 'A';
    }, 20);
  });
  await visitor.mark('end');
  expect(visitor.fixture.events('pageview').map(({ title }) => title)).toEqual(['Home', 'A']);
});

test('data-manual: only what the page says', async () => {
  const visitor = await visit();
  const { fixture, page, open, leave } = visitor;
  fixture.pages['/'] = html({ attributes: 'data-manual' });
  await open();
  await page.waitForFunction(() => window.vendor);
  await page.evaluate(() => history.pushState({}, '', '/a'));
  await page.evaluate(() => window.vendor?.page());
  await expect.poll(() => viewed(visitor)).toEqual(['/a']);
  await page.evaluate(() => history.pushState({}, '', '/b'));
  await leave();
  expect(viewed(visitor)).toEqual(['/a']);
});

test('another query is no other page', async () => {
  const visitor = await visit();
  const { fixture, page, open, mark } = visitor;
  await open('/?q=first');
  await page.evaluate(() => {
    for (const address of ['?q=second', '?', '/?page=2', '/?page=3#part', '#part'])
      history.replaceState({}, '', address);
    history.pushState({}, '', '?q=third');
    history.back();
  });
  await page.waitForURL(/#part/);
  await mark('end');
  // What happens there is at the present address.
  expect(fixture.events('event')[0]?.url).toBe(`${fixture.origin}/?page=3`);
  await page.evaluate(() => history.pushState({}, '', '/a?q=third'));
  await page.evaluate(() => window.vendor?.page());
  expect(await finallyViewed(visitor)).toEqual(['/?q=first', '/a?q=third', '/a?q=third']);
});

test('data-hash: another route is a page whatever the query is; another query of the page is none', async () => {
  const visitor = await visit();
  const { fixture, page, open } = visitor;
  fixture.pages['/'] = html({ attributes: 'data-hash' });
  await open('/?utm_source=x#/start');
  await page.evaluate(() => {
    location.hash = '#/one';
  });
  await expect.poll(() => viewed(visitor)).toHaveLength(2);
  await page.evaluate(() => history.replaceState({}, '', '?utm_source=y#/one'));
  expect(await finallyViewed(visitor)).toEqual(['/?utm_source=x#/start', '/?utm_source=x#/one']);
});

test('data-hash: a query that is typed into a route is one page', async () => {
  const visitor = await visit();
  const { fixture, page, open } = visitor;
  fixture.pages['/'] = html({ attributes: 'data-hash' });
  await open('/#/search');
  await page.evaluate(() => {
    for (const text of ['s', 'sh', 'sho', 'shoe', 'shoes', 'shoes ']) location.hash = `#/search?q=${text}`;
  });
  await page.waitForURL(/shoes/);
  expect(await finallyViewed(visitor)).toEqual(['/#/search']);
});

test('an address that is too long keeps its campaign', async () => {
  const visitor = await visit();
  const { fixture, open } = visitor;
  await open(`/?first=${'x'.repeat(5000)}&utm_source=mail&ref=friend&more=${'y'.repeat(5000)}&source=b`);
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  const [view] = fixture.events('pageview');
  expect(view?.url).toBe(`${fixture.origin}/?first&utm_source=mail&ref=friend&more&source=b`);
});

test('navigation.navigate() that the page intercepts is a page view', async () => {
  const visitor = await visit();
  await visitor.hear();
  await visitor.page.evaluate(async () => {
    interface Navigation extends EventTarget {
      navigate(url: string): { finished: Promise<unknown> };
    }
    const { navigation } = window as unknown as { navigation: Navigation };
    navigation.addEventListener('navigate', (event) =>
      (event as Event & { intercept: (given: object) => void }).intercept({ handler: async () => {} }),
    );
    await navigation.navigate('/intercepted').finished;
  });
  expect(await finallyViewed(visitor)).toEqual(['/', '/intercepted']);
});
