/** Projects, the search for traces, and a trace in the dashboard. */
import { expect, test } from 'vitest';
import { newSender, newSpanId, newTraceId, spansOf } from '../../functions/receiver/backend-sender.ts';
import { createWorld, minutesAgo, order, type TestSpan } from '../../functions/telemetry/sent-spans.ts';
import { traceIdOf } from '../../functions/telemetry/test-environment.ts';
import { addMember, createPerson } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { openDashboard } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

async function openEnvironment(spans: readonly TestSpan[], view: string) {
  const world = await createWorld(stack());
  await world.send(spans);
  const path = `/projects/${world.projectId}/${world.environmentId}`;
  const opened = await openDashboard(stack(), newContext, world.owner, `${path}/${view}`);
  const { page } = opened;
  const tree = page.getByRole('tree');
  return {
    ...{ ...world, ...opened, path, tree },
    list: page.getByRole('region', { name: 'Traces, newest first' }).getByRole('listitem'),
    panel: page.getByRole('complementary', { name: 'Span' }),
    chosen: () => tree.locator('[aria-selected=true]').getAttribute('aria-label'),
  };
}

test('projects lead to environments, for members and for nobody else', async () => {
  const world = await createWorld(stack());
  const viewer = await addMember(stack().sql, world.projectId, 'viewer');
  const { page, complaints } = await openDashboard(stack(), newContext, viewer, '/projects');
  const environment = page.getByRole('list', { name: 'Environments' }).getByRole('link').first();
  await environment.click();
  await page.waitForURL(/\/services$/);
  await page.getByText('Not observed').waitFor();
  expect(complaints).toEqual([]);

  const path = `/projects/${world.projectId}/${world.environmentId}`;
  const home = await openDashboard(stack(), newContext, viewer, path);
  expect(new URL(home.page.url()).pathname).toBe(`${path}/services`);

  const stranger = await createPerson(stack().sql);
  const context = await newContext();
  const [name = '', value = ''] = stranger.cookie.split('=');
  await context.addCookies([{ name, value, url: stack().baseUrl }]);
  const other = await context.newPage();
  await other.goto(`${stack().baseUrl}${path}/traces`);
  await other.getByText('This doesn’t exist, or you can’t see it.').first().waitFor();
});

test('traces are found by what the form says, and by an attribute that is clicked', async () => {
  const slow: TestSpan = {
    ...{ traceId: newTraceId(), spanId: newSpanId(), service: 'web', name: 'GET /slow' },
    ...{ startMs: minutesAgo(3), durationMs: 2500 },
  };
  const { page, list, panel, get, go, path, complaints } = await openEnvironment(
    [...order(1, minutesAgo(5)), ...order(2, minutesAgo(4)), slow],
    'traces',
  );
  const { data } = await get<{ data: { traceId: string; durationMs: number }[] }>('traces');
  await expect.poll(() => list.count()).toBe(3);
  const hrefs = await list
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => new URL((link as HTMLAnchorElement).href).pathname));
  expect(hrefs).toEqual(data.map(({ traceId }) => `${path}/traces/${traceId}`));
  expect(await list.first().innerText()).toMatch(/GET \/slow[\s\S]*2\.5 s/);

  // Without a condition any span is a match, so none is named.
  expect((await list.allInnerTexts()).join()).not.toContain('found by');

  // The drawing has a point for each, higher the longer it took; two failed.
  const points = page.locator('.scatter circle');
  const heights = await points.evaluateAll((all) => all.map((one) => Number(one.getAttribute('cy'))));
  const byLength = data.map((trace, index) => ({ ...trace, height: heights[index] ?? 0 }));
  byLength.sort((a, b) => a.durationMs - b.durationMs);
  const ordered = byLength.map(({ height }) => height);
  expect(ordered).toEqual(heights.toSorted((a, b) => b - a));
  expect(new Set(ordered.map(Math.round)).size).toBe(new Set(data.map(({ durationMs }) => durationMs)).size);
  expect(await page.locator('.scatter circle.wrong').count()).toBe(2);
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('href')?.split('?')[0]);
  await page.keyboard.press('j');
  expect(await focused()).toBe(hrefs[0]);
  await page.keyboard.press('j');
  expect(await focused()).toBe(hrefs[1]);
  await page.keyboard.press('k');
  expect(await focused()).toBe(hrefs[0]);

  await page.getByLabel('Status').selectOption('error');
  await expect.poll(() => list.count()).toBe(2);
  expect(page.url()).toContain('status=error');
  expect(await list.first().innerText()).toContain('Card declined');

  await page.getByLabel('Attribute').fill('order.id');
  await page.getByRole('button', { name: 'Search' }).click();
  expect(await page.getByRole('alert').innerText()).toBe('An attribute is written as key=value.');
  await page.getByLabel('Attribute').fill('order.id=o-2');
  await page.keyboard.press('Enter');
  await expect.poll(() => list.count()).toBe(1);
  await list.getByRole('link').click();
  await panel.getByRole('link', { name: '402' }).click();
  await page.waitForURL(/attr\.http\.response\.status_code=402/);
  await expect.poll(() => list.count()).toBe(2);

  await go(`${path}/traces?minDurationMs=1000`);
  await expect.poll(() => list.count()).toBe(1);
  await go(`${path}/traces?service=nobody`);
  await page.getByText('Nothing fits the filters').waitFor();
  await go(`${path}/traces?minDurationMs=long`);
  expect(await page.getByRole('alert').innerText()).toContain('minDurationMs: must be a number');
  expect(complaints).toEqual([]);
});

test('a trace says what is missing, whose clock differs, and what was sent from it', async () => {
  const at = minutesAgo(5);
  const traceId = traceIdOf(3);
  const orphan: TestSpan = {
    ...{ traceId, spanId: newSpanId(), parentSpanId: newSpanId(), service: 'mail', name: 'send' },
    ...{ startMs: at + 50, durationMs: 5 },
  };
  const { page, go, path, tree, panel, chosen, tell, complaints } = await openEnvironment(
    [...order(3, at), orphan],
    'traces',
  );
  const outcome = {
    ...{ source: 'shop', domainEventId: 'order-3', type: 'order.paid', traceId },
    occurredAt: new Date(at).toISOString(),
    value: { amount: '129.90', currency: 'EUR' },
  };
  expect(await tell({ ...outcome, spanId: order(3, at)[2]?.spanId })).toBe(201);
  await go(`${path}/traces/${traceId}`);
  await page.getByText('1 span wasn’t received, though others name it as their parent.').waitFor();
  await page.getByText('1 span is shown at a corrected time, because clocks differ.').waitFor();
  expect(await tree.getByRole('treeitem').count()).toBe(6);
  expect(await tree.getByRole('treeitem', { name: /^web POST \/order,.*1 error below/ }).count()).toBe(1);

  const journey = page.getByRole('region', { name: 'Journey' });
  expect(await journey.innerText()).toMatch(
    /order\.paid EUR\s129\.90[\s\S]*Evidence: a sending of the outcome/,
  );
  await journey.getByRole('button', { name: 'sent from shop POST /order' }).click();
  expect(await chosen()).toMatch(/^shop POST \/order,.*Error/);
  expect(await panel.innerText()).toContain('Card declined');
  await tree.getByRole('treeitem', { name: /^stock/ }).click();
  expect(await panel.innerText()).toMatch(/Moved by 1h/);
  await tree.getByRole('treeitem', { name: /^not received/ }).click();
  expect(await panel.innerText()).toContain('This span wasn’t received.');
  expect(complaints).toEqual([]);
});

const BRANCHES = 50;
const LEAVES = 99;

/** A root, 50 branches, and 99 leaves below each: 5,001 spans. The last leaf has an error. */
function bigTrace(traceId: string): TestSpan[] {
  const startMs = minutesAgo(5);
  const id = (n: number): string => (n + 1).toString(16).padStart(16, '0');
  const spans: TestSpan[] = [
    { traceId, spanId: id(0), service: 'web', name: 'root', startMs, durationMs: 60_000 },
  ];
  for (let branch = 0; branch < BRANCHES; branch += 1) {
    const at = startMs + branch * 1000;
    const parentSpanId = id(1 + branch * (LEAVES + 1));
    const common = { traceId, service: 'web' };
    spans.push({
      ...{ ...common, spanId: parentSpanId, parentSpanId: id(0), name: `branch ${branch}` },
      ...{ startMs: at, durationMs: 1000 },
    });
    for (let leaf = 0; leaf < LEAVES; leaf += 1) {
      spans.push({
        ...{ ...common, spanId: id(2 + branch * (LEAVES + 1) + leaf), parentSpanId, name: `leaf ${leaf}` },
        ...{ startMs: at + leaf, durationMs: 5, kind: 1 },
        ...(branch === BRANCHES - 1 && leaf === LEAVES - 1 && { status: 2 }),
      });
    }
  }
  return spans;
}

test('of 5,001 spans only those in view are drawn; the keys go through all of them', async () => {
  const traceId = newTraceId();
  const { page, go, path, tree, chosen, complaints } = await openEnvironment(bigTrace(traceId), 'traces');
  await go(`${path}/traces/${traceId}`);
  await page.getByText('5,001 spans').waitFor();
  const rows = tree.getByRole('treeitem');
  expect(await rows.count()).toBeLessThan(100);
  /** Presses the keys, after which this span is chosen. */
  const press = async (keys: readonly string[], span: RegExp) => {
    for (const key of keys) await tree.press(key);
    await expect.poll(chosen).toMatch(span);
  };
  await press(['j'], /^web root,.*1 error below/);
  await press(['j', 'j', 'k'], /^web branch 0,/);
  await press(['f'], /^web leaf 98,.*Error/);
  expect(await rows.count()).toBeLessThan(100);
  await press(['ArrowLeft'], /^web branch 49,.*1 error below/);
  await press(['ArrowLeft'], /^web branch 49/);
  await expect.poll(() => rows.filter({ hasText: 'leaf' }).last().innerText()).not.toContain('leaf 98\n!');
  await press(['f'], /^web leaf 98,/);
  await press(['Home'], /^web root/);
  await press(['s'], /^web leaf \d/);
  await press(['w'], /^web root/);
  await page.getByRole('button', { name: 'Close all' }).click();
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByRole('button', { name: 'Open all' }).click();
  await press(['End'], /^web leaf 98,/);
  const named = new URL(page.url()).searchParams.get('span');
  await page.reload();
  await expect.poll(chosen).toMatch(/^web leaf 98,/);
  expect(named).toBe((5001).toString(16).padStart(16, '0'));
  expect(complaints).toEqual([]);
});

test('a part of the time is shown in large: by dragging, by a key, and by the address', async () => {
  const traceId = newTraceId();
  const { page, go, path, tree, get, chosen, complaints } = await openEnvironment(
    bigTrace(traceId),
    'traces',
  );
  await go(`${path}/traces/${traceId}`);
  const map = page.locator('.minimap');
  await map.waitFor();
  const marks = () => tree.locator('.ruler .marks > span').allInnerTexts();
  expect(await marks()).toEqual(['0 ms', '15 s', '30 s', '45 s']);
  const { x, y, width } = (await map.boundingBox()) as { x: number; y: number; width: number };
  await page.mouse.move(x + width / 4, y + 10);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + 10, { steps: 4 });
  await page.mouse.up();
  const zoom = () => new URL(page.url()).searchParams.get('zoom')?.split('~').map(Number) ?? [];
  await expect.poll(async () => (await zoom()).map((ms) => Math.round(ms / 500))).toEqual([30, 60]);
  expect(await marks()).toEqual(['15 s', '18.8 s', '22.5 s', '26.3 s']);
  // The root goes on beyond both ends; what is over before the part has no bar.
  const row = (name: string) => tree.getByRole('treeitem', { name: new RegExp(`^web ${name},`) });
  expect(await row('root').locator('.bar').getAttribute('style')).toMatch(/left: 0%; width: 100%/);
  expect(await row('branch 0').locator('.bar').count()).toBe(0);
  expect(await row('branch 0').locator('.took').innerText()).toBe('‹ 1 s');

  await page.reload();
  await expect.poll(async () => (await marks())[0]).toBe('15 s');
  await page.getByRole('button', { name: 'Whole trace' }).click();
  await expect.poll(async () => (await marks())[0]).toBe('0 ms');
  await tree.press('j');
  await tree.press('j');
  await expect.poll(chosen).toMatch(/^web branch 0,/);
  await tree.press('z');
  const { data } = await get<{
    data: { durationMs: number; spans: { name: string; offsetMs: number; durationMs: number }[] };
  }>(`traces/${traceId}`);
  const { offsetMs = 0, durationMs = 0 } = data.spans.find(({ name }) => name === 'branch 0') ?? {};
  const room = Math.max(durationMs / 20, data.durationMs / 1000);
  await expect.poll(zoom).toEqual([Math.max(0, offsetMs - room), offsetMs + durationMs + room]);
  await tree.press('z');
  await expect.poll(zoom).toEqual([]);
  await go(`${path}/traces/${traceId}?zoom=9~1`);
  await expect.poll(async () => (await marks())[0]).toBe('0 ms');
  expect(complaints).toEqual([]);
});

test('spans are found by name and by attribute, also in closed parts', async () => {
  const { page, go, path, tree, get, chosen, complaints } = await openEnvironment(
    order(4, minutesAgo(5)),
    'traces',
  );
  const traceId = traceIdOf(4);
  await go(`${path}/traces/${traceId}`);
  const field = page.getByRole('searchbox', { name: 'Find in spans' });
  const { data } = await get<{ data: { spans: { name: string }[] } }>(`traces/${traceId}`);
  const named = data.spans.filter(({ name }) => name.toLowerCase().includes('order')).length;
  await field.fill('ORDER');
  await page.getByText(`${named} spans found`).waitFor();
  await expect.poll(() => tree.locator('.span-row.found').count()).toBe(named);
  await page.getByRole('button', { name: 'Close all' }).click();
  await expect.poll(() => tree.getByRole('treeitem').count()).toBe(1);
  await field.fill('order.id=o-4');
  await page.getByText('1 span found').waitFor();
  await field.press('Enter');
  await expect.poll(chosen).toMatch(/^shop POST \/order,.*Error/);
  await field.press('Enter');
  expect(await chosen()).toMatch(/^shop POST \/order,.*Error/);
  await field.fill('nothing like it');
  await page.getByText('0 spans found').waitFor();
  expect(complaints).toEqual([]);
});

test('lists tell how much of the period was observed, and what came and isn’t stored', async () => {
  const sender = await newSender(stack());
  const at = minutesAgo(2);
  const sent = await sender.send('/v1/traces', spansOf('web', [{ at }, { at, traceId: 'no id' }]));
  expect(sent.status).toBe(200);
  const path = `/projects/${sender.projectId}/environments/${sender.environmentId}`;
  const coverage = async () => {
    const response = await stack().fetch(`/api/v1/telemetry${path}/traces?period=24h`, {
      headers: { Cookie: sender.cookie },
    });
    return (await response.json()).meta.coverage;
  };
  // What is dropped is counted after the answer.
  await expect.poll(async () => (await coverage()).dropped).toEqual({ ids: 1 });
  const view = `/projects/${sender.projectId}/${sender.environmentId}`;
  const { page, complaints } = await openDashboard(stack(), newContext, sender, `${view}/traces`);
  await page.getByText('Not stored: 1 without valid ids.').waitFor();
  const shown = await page.getByText(/^Observed in .* of the period\.$/).innerText();
  const { observedShare } = await coverage();
  expect(Number(/[\d.]+/.exec(shown)?.[0])).toBeCloseTo(100 * observedShare, 1);
  expect(complaints).toEqual([]);
});
