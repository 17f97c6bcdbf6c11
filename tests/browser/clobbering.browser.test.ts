/**
 * Elements of a page's content that have the names of what the tracker reads. An element with a name or id is a property of `document`,
 * of `window` or of its form, and stands before or instead of the browser's own.
 */
import { expect, test } from 'vitest';
import { ELSEWHERE } from './chromium.ts';
import { html, SNIPPET } from './html.ts';
import { NOTHING_STORED, readStored, useVisits, type Visit } from './visit.ts';

const visit = useVisits();

/** What a page of somebody else's content may hold of a name. */
const image = (name: string): string => `<img name="${name}" id="${name}" alt="">`;

/** Every name that `document` or `window` has from their prototypes, and of a form. */
async function namesOf({ page, open }: Visit): Promise<{ ofPage: string[]; ofForm: string[] }> {
  await open('/bare');
  return page.evaluate(() => {
    const names = (object: object): string[] => {
      const found: string[] = [];
      for (let one = object; one !== null; one = Object.getPrototypeOf(one))
        found.push(...Object.getOwnPropertyNames(one));
      return [...new Set(found)].filter((name) => /^[a-z_]\w*$/i.test(name));
    };
    return {
      ofPage: [...new Set([...names(document), ...names(window), 'vendor'])],
      ofForm: names(document.createElement('form')),
    };
  });
}

/** Opens the page of a site whose content has the elements, coming from another page of it. */
async function arrive(visitor: Visit, content: string, attributes = '', file = 'tracker.js'): Promise<void> {
  const { fixture, open } = visitor;
  fixture.pages['/'] = html({ title: 'Board', attributes, body: content }).replace('tracker.js', file);
  fixture.pages['/from'] = '<script>location.href = "/"</script>';
  await open('/from');
}

/** Clicks by the browser's own functions, which Playwright's may find shadowed. */
const click = ({ page }: Visit, id: string): Promise<void> =>
  page.evaluate((given) => {
    const found: Element | null = Document.prototype.querySelector.call(document, `#${given}`);
    HTMLElement.prototype.click.call(found);
  }, id);

const foreign = ({ page }: Visit): string[] => {
  const urls: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith(ELSEWHERE)) urls.push(request.url());
  });
  return urls;
};

test('an image named currentScript is not the script: no policy, no part and no event goes to its address', async () => {
  const visitor = await visit();
  const { fixture, leave, noise } = visitor;
  const asked = foreign(visitor);
  await arrive(
    visitor,
    `<img name="currentScript" src="${ELSEWHERE}/image.png" alt="" data-site="theirs" data-api="${ELSEWHERE}" data-manual>
     <img name="currentScript" src="${ELSEWHERE}/image.png" alt="">`,
    'data-outbound',
  );
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await expect.poll(() => new Set(fixture.parts())).toEqual(new Set(['links', 'measure']));
  await leave();
  expect(new Set(asked)).toEqual(new Set([`${ELSEWHERE}/image.png`]));
  expect(noise).toEqual([]);
});

for (const file of ['tracker.js', 'tracker-all.js'])
  test(`${file}: a page full of elements with the names of document and window counts as any other`, async () => {
    const visitor = await visit();
    const { fixture, page, noise, leave } = visitor;
    const { ofPage } = await namesOf(visitor);
    expect(ofPage.length).toBeGreaterThan(500);
    await arrive(
      visitor,
      `<a id="file" href="/files/a.pdf" onclick="event.preventDefault()">a</a>
       <button id="tagged" type="button" data-vendor-event="Tagged">Tagged</button>${ofPage.map(image).join('')}`,
      'data-downloads',
      file,
    );
    await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
    expect(fixture.events('pageview')[0]).toMatchObject({
      url: `${fixture.origin}/`,
      referrer: `${fixture.origin}/from`,
      title: 'Board',
    });
    if (file === 'tracker.js') await expect.poll(() => fixture.parts()).toContain('links');
    await click(visitor, 'file');
    await click(visitor, 'tagged');
    await page.evaluate(() => window.vendor?.track('called'));
    await expect
      .poll(() => visitor.sent().map(({ name }) => name))
      .toEqual(expect.arrayContaining(['Download', 'Tagged', 'called']));
    await page.evaluate(() => history.pushState({}, '', '/second'));
    await expect.poll(() => fixture.events('pageview')).toHaveLength(2);
    await leave();
    await expect.poll(() => fixture.events('vitals')).toHaveLength(1);
    expect(fixture.events('vitals')[0]).toHaveProperty('ttfb');
    expect(fixture.events('engagement')[0]?.scrollDepth).toBeGreaterThan(0);
    expect(noise).toEqual([]);
  });

for (const [what, content] of [
  ['a form with a field named track', '<form id="vendor"><input name="track"></form>'],
  ['a form with a field named q', '<form id="vendor"><input name="track"><input name="q"></form>'],
  ['two elements', '<a id="vendor"></a><a id="vendor" name="track"></a>'],
  ['a frame', '<iframe name="vendor"></iframe>'],
  ['a frame of another site', `<iframe name="vendor" src="${ELSEWHERE}/"></iframe>`],
] as const) {
  test(`${what} with the name vendor is no tracker that runs already`, async () => {
    const visitor = await visit();
    await arrive(visitor, content);
    await expect.poll(() => visitor.fixture.events('pageview')).toHaveLength(1);
    await visitor.mark('end');
    expect(visitor.noise).toEqual([]);
  });

  test(`${what} with the name vendor is no queue for calls before the script loads`, async () => {
    const visitor = await visit();
    await arrive(visitor, `${content}<script>${SNIPPET}vendor.track('early')</script>`);
    await expect.poll(() => visitor.sent().map(({ name }) => name)).toEqual(['early']);
    expect(visitor.noise).toEqual([]);
  });
}

test('Global Privacy Control holds whatever elements are named', async () => {
  const visitor = await visit();
  const { fixture, page, leave } = visitor;
  await page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true }),
  );
  await arrive(visitor, ['navigator', 'globalPrivacyControl', 'vendor'].map(image).join(''));
  await page.waitForFunction(() => window.vendor?.track instanceof Function);
  await page.evaluate(() => window.vendor?.consent('granted'));
  expect(await readStored(visitor)).toEqual(NOTHING_STORED);
  await leave();
  expect([...fixture.calls('policy'), ...fixture.calls('track')]).toEqual([]);
});

test('fields with the names of what a form has: its event, and that of a link in it', async () => {
  const visitor = await visit();
  const { fixture, leave } = visitor;
  visitor.fixture.policy = () => ({ maxTier: 1 });
  const { ofForm } = await namesOf(visitor);
  expect(ofForm.length).toBeGreaterThan(200);
  const fields = (names: string[]): string => names.map((name) => `<input name="${name}" form="f">`).join('');
  await arrive(
    visitor,
    `<form id="f" data-vendor-event="Sent" data-vendor-prop-where="top" onsubmit="event.preventDefault()">
       <a id="out" href="${ELSEWHERE}/x" onclick="event.preventDefault()">x</a></form>
     <form id="g" action="/go" onsubmit="event.preventDefault()"><input name="attributes"><input name="localName"></form>
     ${fields(ofForm)}`,
    'data-outbound data-forms',
  );
  await expect.poll(() => fixture.parts()).toContain('links');
  await click(visitor, 'out');
  await visitor.page.evaluate(() => {
    for (const id of ['f', 'g']) {
      const form: HTMLFormElement | null = document.querySelector(`#${id}`);
      HTMLFormElement.prototype.requestSubmit.call(form);
    }
  });
  await expect
    .poll(() => visitor.sent())
    .toEqual([
      { name: 'Outbound link', props: { url: `${ELSEWHERE}/x` } },
      { name: 'Sent', props: { where: 'top' } },
      { name: 'Form', props: { form: 'g', action: '/go' } },
    ]);
  await leave();
  expect(visitor.noise).toEqual([]);
});
