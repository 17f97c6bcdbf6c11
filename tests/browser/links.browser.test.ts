import { expect, test } from 'vitest';
import { ELSEWHERE } from './chromium.ts';
import { html, SNIPPET } from './html.ts';
import { awaitLinks, useVisits, type Visit } from './visit.ts';

const visit = useVisits();

/** A page with the body and these attributes. */
async function arrive(attributes: string, body: string): Promise<Visit> {
  const visitor = await visit();
  visitor.fixture.pages['/'] = html({ attributes, body });
  await visitor.open();
  await expect.poll(() => visitor.fixture.events('pageview')).toHaveLength(1);
  // As the README says, a click that leaves the page before the part has loaded is lost.
  if (attributes !== '') await awaitLinks(visitor.page);
  return visitor;
}

const outbound = (url = `${ELSEWHERE}/there`) => ({ name: 'Outbound link', props: { url } });
const LINK = `<a id="link" href="${ELSEWHERE}/there?who=me&utm_source=x#part"><b id="child">There</b></a>`;

test('outbound, left click: origin and path alone, and the page is left as ever', async () => {
  const visitor = await arrive('data-outbound', LINK);
  await visitor.page.click('#link');
  await visitor.page.waitForURL(/elsewhere/);
  await expect.poll(() => visitor.sent()).toEqual([outbound()]);
  const event = visitor.fixture.events('event').find(({ name }) => name === outbound().name);
  expect(event?.pageId).toBe(visitor.fixture.events('pageview')[0]?.pageId);
  expect(event?.url).toBe(`${visitor.fixture.origin}/`);
  for (const { body } of visitor.fixture.calls('track')) {
    expect(body).not.toContain('who=me');
    expect(body).not.toContain('#part');
  }
});

for (const modifier of ['Control', 'Shift'] as const)
  test(`outbound with ${modifier}: once, and the page stays`, async () => {
    const visitor = await arrive('data-outbound', LINK);
    await visitor.page.click('#link', { modifiers: [modifier] });
    await expect.poll(() => visitor.sent()).toHaveLength(1);
    await visitor.page.bringToFront();
    await visitor.mark('end');
    expect(visitor.sent().slice(0, -1)).toEqual([outbound()]);
  });

test('outbound with Meta, whatever the browser makes of it here: once', async () => {
  const visitor = await arrive('data-outbound', LINK);
  await visitor.page.click('#link', { modifiers: ['Meta'] });
  await expect.poll(() => visitor.sent()).toEqual([outbound()]);
});

test('outbound with the middle button counts, with the third not', async () => {
  const visitor = await arrive('data-outbound', LINK);
  await visitor.page.click('#link', { button: 'right' });
  await visitor.page.click('#link', { button: 'middle' });
  await expect.poll(() => visitor.sent()).toHaveLength(1);
  await visitor.page.bringToFront();
  await visitor.mark('end');
  expect(visitor.sent().slice(0, -1)).toEqual([outbound()]);
});

for (const [what, body, target] of [
  ['on a child of the link', LINK, '#child'],
  [
    'on a drawing inside the link',
    `<a href="${ELSEWHERE}/there"><svg width="50" height="50"><circle id="dot" cx="25" cy="25" r="25"/></svg></a>`,
    '#dot',
  ],
  [
    'on a link inside a drawing',
    `<svg width="50" height="50"><a href="${ELSEWHERE}/there"><circle id="dot" cx="25" cy="25" r="25"/></a></svg>`,
    '#dot',
  ],
  [
    'on a link inside a drawing, in its old spelling',
    `<svg width="50" height="50"><a xlink:href="${ELSEWHERE}/there"><circle id="dot" cx="25" cy="25" r="25"/></a></svg>`,
    '#dot',
  ],
  [
    'on the area of a map',
    `<map name="m"><area id="area" shape="rect" coords="0,0,50,50" href="${ELSEWHERE}/there"></map>
     <img id="map" usemap="#m" width="50" height="50" alt="" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">`,
    '#map',
  ],
] as const)
  test(`outbound, ${what}`, async () => {
    const visitor = await arrive('data-outbound', body);
    await visitor.page.click(target, { force: true });
    await expect.poll(() => visitor.sent()).toEqual([outbound()]);
  });

test('outbound inside a shadow root', async () => {
  const visitor = await arrive('data-outbound', '<div id="host"></div>');
  await visitor.page.evaluate((href) => {
    const root = document.querySelector('#host')?.attachShadow({ mode: 'open' });
    root?.append(Object.assign(document.createElement('a'), { href, id: 'inner', textContent: 'There' }));
  }, `${ELSEWHERE}/there`);
  await visitor.page.click('#inner');
  await expect.poll(() => visitor.sent()).toEqual([outbound()]);
});

for (const handler of ['event.preventDefault()', 'event.preventDefault();event.stopPropagation()'])
  test(`outbound with ${handler}: the event goes, and nothing else happens`, async () => {
    const visitor = await arrive('data-outbound', `<div onclick="${handler}">${LINK}</div>`);
    await visitor.page.click('#link');
    await expect.poll(() => visitor.sent()).toEqual([outbound()]);
    expect(visitor.page.url()).toBe(`${visitor.fixture.origin}/`);
  });

test('links of the same host, mail, anchors, scripts and none are not outbound', async () => {
  const visitor = await arrive(
    'data-outbound data-downloads',
    `<a id="own" href="/bare" onclick="event.preventDefault()">Own</a><a id="mail" href="mailto:a@elsewhere.example.zip" onclick="event.preventDefault()">Mail</a>
     <a id="anchor" href="#x">Down</a><a id="script" href="javascript:void 0">Do</a><a id="none">None</a>
     <a id="broken" href="https://[" onclick="event.preventDefault()">Broken</a>`,
  );
  for (const id of ['own', 'mail', 'anchor', 'script', 'none', 'broken']) await visitor.page.click(`#${id}`);
  await visitor.mark('end');
  expect(visitor.sent()).toEqual([{ name: 'end' }]);
  expect(visitor.noise).toEqual([]);
});

test('without its attribute nothing is sent of a link, nor is the part loaded', async () => {
  const visitor = await arrive('', LINK);
  await visitor.page.click('#link', { modifiers: ['Control'] });
  await visitor.page.bringToFront();
  await visitor.mark('end');
  expect(visitor.sent()).toEqual([{ name: 'end' }]);
  expect(visitor.fixture.parts()).not.toContain('links');
});

test('downloads by extension, without the query, once', async () => {
  const visitor = await arrive(
    'data-downloads data-outbound',
    `<a id="file" download href="/files/Report.PDF?token=secret#page=2">Report</a><a id="page" href="/bare.html" onclick="event.preventDefault()">Page</a>
     <a id="there" href="${ELSEWHERE}/set.zip?x=1" onclick="event.preventDefault()">Set</a>`,
  );
  for (const id of ['page', 'there', 'file']) await visitor.page.click(`#${id}`);
  await visitor.mark('end');
  expect(visitor.sent().slice(0, -1)).toEqual([
    { name: 'Download', props: { url: `${ELSEWHERE}/set.zip` } },
    { name: 'Download', props: { url: `${visitor.fixture.origin}/files/Report.PDF` } },
  ]);
  for (const { body } of visitor.fixture.calls('track')) expect(body).not.toContain('secret');
});

test('what a drawing is made of is no link', async () => {
  const visitor = await arrive(
    'data-outbound data-downloads',
    `<button type="button" id="button"><svg width="50" height="50"><use id="use" href="${ELSEWHERE}/icons.zip#a"/>
       <image id="image" xlink:href="${ELSEWHERE}/icon.zip" width="50" height="50"/></svg></button>`,
  );
  for (const id of ['use', 'image'])
    await visitor.page.evaluate((given) => {
      document
        .querySelector(`#${given}`)
        ?.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }));
    }, id);
  await visitor.mark('end');
  expect(visitor.sent()).toEqual([{ name: 'end' }]);
});

for (const file of ['talk.key', 'film.mpeg', 'film.mpg', 'Report.DOCX', 'a.b.7z'])
  test(`${file} is a download`, async () => {
    const visitor = await arrive(
      'data-downloads',
      `<a id="file" href="/${file}" onclick="event.preventDefault()">file</a>`,
    );
    await visitor.page.click('#file');
    await expect.poll(() => visitor.sent().map(({ name }) => name)).toEqual(['Download']);
  });

test('downloads of the extensions that the page names', async () => {
  const visitor = await arrive(
    'data-downloads="step, .dxf"',
    '<a id="a" href="/a.step" onclick="event.preventDefault()">a</a><a id="b" href="/b.dxf" onclick="event.preventDefault()">b</a><a id="c" href="/c.pdf" onclick="event.preventDefault()">c</a>',
  );
  for (const id of ['a', 'b', 'c']) await visitor.page.click(`#${id}`);
  await visitor.mark('end');
  expect(visitor.sent().map(({ props }) => props?.url)).toEqual([
    `${visitor.fixture.origin}/a.step`,
    `${visitor.fixture.origin}/b.dxf`,
    undefined,
  ]);
});

test('an endless address is cut, not refused', async () => {
  const visitor = await arrive('data-outbound', `<a id="link" href="${ELSEWHERE}/${'x'.repeat(2000)}">x</a>`);
  await visitor.page.click('#link', { modifiers: ['Control'] });
  await expect.poll(() => visitor.sent()[0]?.props?.url).toHaveLength(512);
});

test('clicks before the part arrives are made up for', async () => {
  const visitor = await visit();
  const { fixture, page, open } = visitor;
  const slow = Promise.withResolvers<boolean>();
  fixture.withhold = (part) => part === 'links' && slow.promise;
  fixture.pages['/'] = html({ attributes: 'data-outbound', body: LINK });
  await open();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await page.click('#child', { modifiers: ['Control'] });
  await page.bringToFront();
  await visitor.mark('meanwhile');
  slow.resolve(false);
  await expect.poll(() => visitor.sent()).toEqual([{ name: 'meanwhile' }, outbound()]);
});

test('however often the page was looked away from, clicks are heard', async () => {
  const visitor = await visit();
  const { fixture, page, open } = visitor;
  fixture.policy = () => ({ maxTier: 1 });
  fixture.pages['/'] = html({
    attributes: 'data-outbound',
    body: LINK.replace('<a ', '<a onclick="event.preventDefault()" '),
  });
  await open();
  await expect.poll(() => fixture.events('pageview')).toHaveLength(1);
  await page.evaluate(() => {
    for (let count = 0; count < 120; count += 1) dispatchEvent(new Event('blur'));
  });
  await page.click('#link');
  await expect.poll(() => visitor.sent()).toEqual([outbound()]);
});

test('a part that never comes: no error, and everything else as ever', async () => {
  const visitor = await visit();
  const { fixture, page, open, noise } = visitor;
  fixture.withhold = (part) => part === 'links';
  fixture.pages['/'] = html({
    attributes: 'data-outbound',
    body: LINK.replace('<a ', '<a onclick="event.preventDefault()" '),
  });
  await open();
  for (let count = 0; count < 3; count += 1) await page.click('#link');
  await visitor.mark('end');
  expect(visitor.sent()).toEqual([{ name: 'end' }]);
  expect(fixture.parts().filter((part) => part === 'links').length).toBeLessThanOrEqual(2);
  expect(noise).toEqual([]);
});

test('Global Privacy Control: no part is loaded, and no click sent', async () => {
  const visitor = await visit();
  const { fixture, page, open, leave } = visitor;
  await page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true }),
  );
  fixture.pages['/'] = html({
    attributes: 'data-outbound data-forms',
    before: SNIPPET,
    body: LINK.replace('<a ', '<a data-vendor-event="x" onclick="event.preventDefault()" '),
  });
  await open();
  await page.click('#link');
  await leave();
  expect(fixture.parts()).toEqual([]);
  expect([...fixture.calls('policy'), ...fixture.calls('track')]).toEqual([]);
});

test('nothing before consent: clicks at tier 0 are not sent after it', async () => {
  const visitor = await visit();
  const { fixture, page, hear, mark } = visitor;
  fixture.policy = (consent) => (consent === 'granted' ? { maxTier: 3 } : { maxTier: 0, stop: 'policy' });
  fixture.pages['/'] = html({
    attributes: 'data-outbound',
    body: LINK.replace('<a ', '<a onclick="event.preventDefault()" '),
  });
  await hear();
  await page.click('#link');
  await page.evaluate(() => window.vendor?.consent('granted'));
  await mark('accepted');
  expect(visitor.sent()).toEqual([{ name: 'accepted' }]);
});

test('a link with the attribute download is one, whatever its extension', async () => {
  const visitor = await arrive('data-downloads', '<a id="file" download href="/export?id=5">Export</a>');
  visitor.fixture.pages['/export'] = 'a,b';
  await visitor.page.click('#file');
  await expect
    .poll(() => visitor.sent())
    .toEqual([{ name: 'Download', props: { url: `${visitor.fixture.origin}/export` } }]);
});

test('what a click sends goes with the click, not when the page is left', async () => {
  const visitor = await arrive(
    'data-downloads',
    '<a id="out" data-vendor-event="Partner" href="#stay">Partner</a>',
  );
  // No timer ever fires: the page is left at once.
  await visitor.page.evaluate(() => {
    window.setTimeout = (() => 0) as unknown as typeof setTimeout;
  });
  await visitor.page.click('#out');
  await expect.poll(() => visitor.sent().map(({ name }) => name)).toEqual(['Partner']);
});
