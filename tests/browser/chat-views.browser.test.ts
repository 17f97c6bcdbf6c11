/** Views in chats, drawn by a real browser from real answers. The test plays the chat's program: it frames the view and speaks its protocol. */
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { CHAT_VIEWS } from '../../functions/mcp/chat-views.generated.ts';
import { SITE_WORDS } from '../../web/chat/site-words.ts';
import { TRACE_WORDS } from '../../web/chat/trace-words.ts';
import { SENTENCES } from '../../web/chat/words.ts';
import { createAgent, createBackend, createVisitedSite } from '../functions/mcp/agent.ts';
import { spanIdOf, traceIdOf } from '../functions/telemetry/test-environment.ts';
import { useStack } from '../services/use-stack.ts';
import { useChromium } from './chromium.ts';

const require = createRequire(import.meta.url);
const stack = useStack();
const newContext = useChromium();

/** What runs if a text is taken for markup or a script. */
const HOSTILE = '"><img src=x onerror="parent.harmed=1"><script>parent.harmed=1</script>';

interface Host {
  theme?: string;
  locale?: string;
}

interface Shown {
  page: Page;
  view: Frame;
  /** The methods that the view sent. */
  sent: () => Promise<string[]>;
  tell: (method: string, params: object, id?: number) => Promise<void>;
  text: () => Promise<string>;
  faults: string[];
}

/** Frames a view as a chat does: without an origin, and as high as the view says. */
async function open(view: keyof typeof CHAT_VIEWS, context: Host = {}, width = 700): Promise<Shown> {
  const page = await (await newContext({ viewport: { width, height: 600 } })).newPage();
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('request', (request) => faults.push(`asked for ${request.url()}`));
  await page.setContent('<iframe sandbox="allow-scripts" style="width:100%;border:0"></iframe>');
  await page.evaluate(
    ({ html, hostContext }) => {
      const frame = document.querySelector('iframe') as HTMLIFrameElement;
      const messages: { method?: string; id?: number; params?: { height?: number } }[] = [];
      addEventListener('message', ({ source, data }) => {
        if (source !== frame.contentWindow) return;
        messages.push(data);
        if (data.method === 'ui/notifications/size-changed') frame.style.height = `${data.params.height}px`;
        if (data.method === 'ui/initialize')
          frame.contentWindow?.postMessage(
            {
              jsonrpc: '2.0',
              id: data.id,
              result: {
                protocolVersion: '2026-01-26',
                hostInfo: { name: 'test', version: '1' },
                hostCapabilities: {},
                hostContext,
              },
            },
            '*',
          );
      });
      Object.assign(window, { messages });
      frame.srcdoc = html;
    },
    { html: CHAT_VIEWS[view], hostContext: context },
  );
  const frame = page.frames()[1] as Frame;
  const messages = () =>
    page.evaluate(() => (window as unknown as { messages: { method?: string; result?: object }[] }).messages);
  const sent = async () => (await messages()).map(({ method, result }) => method ?? JSON.stringify(result));
  await expect.poll(sent).toContain('ui/notifications/initialized');
  return {
    page,
    view: frame,
    sent,
    faults,
    text: () => frame.locator('main').innerText(),
    tell: (method, params, id) =>
      page.evaluate(
        (message) => {
          document.querySelector('iframe')?.contentWindow?.postMessage(message, '*');
        },
        { jsonrpc: '2.0', method, params, ...(id !== undefined && { id }) },
      ),
  };
}

const show = async (shown: Shown, result: object): Promise<void> => {
  await shown.tell('ui/notifications/tool-input', { arguments: {} });
  await shown.tell('ui/notifications/tool-result', result);
};

/** As a host passes it on. */
const resultOf = (answer: object) => ({
  content: [{ type: 'text', text: JSON.stringify(answer) }],
  structuredContent: answer,
});

interface Axe {
  run: (where: Document) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

/** What axe finds, and whether anything is wider or higher than its frame. */
async function expectSound({ view, page, faults }: Shown): Promise<void> {
  await expect
    .poll(() =>
      view.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement;
        return [scrollWidth <= innerWidth, scrollHeight <= innerHeight];
      }),
    )
    .toEqual([true, true]);
  expect(faults).toEqual([]);
  expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
  // The debugger alone may put axe into the view, whose policy refuses foreign scripts.
  await view.evaluate(await axe());
  const found = await view.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: Axe }).axe.run(document);
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
  expect(found).toEqual([]);
}

const axe = async (): Promise<string> => {
  const { readFile } = await import('node:fs/promises');
  return readFile(require.resolve('axe-core/axe.min.js'), 'utf8');
};

test('a website: figures, chart by the keyboard, lists, in the chat’s language and colours', async () => {
  const { userId } = await createVisitedSite(stack());
  const agent = await createAgent(stack(), userId);
  const answer = await agent.ask('summarize_site', { period: '30d' });
  const { totals, pages, goals, trend } = answer.data;

  const shown = await open('site', { theme: 'dark', locale: 'es-ES' });
  expect(await shown.text()).toBe(SENTENCES.es.wait);
  await show(shown, resultOf(answer));
  await expect.poll(shown.text).toContain('example.com');
  const text = await shown.text();
  for (const name of ['visitors', 'visits', 'pageviews', 'bounceRate', 'avgDuration'] as const)
    expect(text).toContain(SITE_WORDS.es[name]);
  const figures = await shown.view.locator('.figures dd').allInnerTexts();
  expect(figures[0]).toMatch(new RegExp(`^${totals.visitors}\\b`));
  expect(figures[1]).toMatch(new RegExp(`^${totals.visits}\\b`));
  for (const { path, visitors } of pages) expect(text).toMatch(new RegExp(`${path}\\s+${visitors}\\b`));
  for (const { exact } of goals) expect(text).toContain(`${exact.conversions} / ${exact.visits}`);
  expect(text).toContain(goals[0].name);

  const slider = shown.view.getByRole('slider');
  await slider.focus();
  await shown.page.keyboard.press('End');
  // Days without traffic are left out of the answer, as the present one is soon after midnight.
  const today = new Date().toISOString().slice(0, 10);
  const last = trend.points.find(({ time }: { time: string }) => time.startsWith(today));
  await expect
    .poll(() => shown.view.locator('output').innerText())
    .toContain(`${SITE_WORDS.es.visitors} ${last?.visitors ?? 0}`);
  await shown.page.keyboard.press('Home');
  // The first day of the range is before collection began or had no traffic; the chart says so with a 0.
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toContain(SITE_WORDS.es.visitors);
  const ground = () => shown.view.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();
  await expectSound(shown);

  await shown.tell('ui/notifications/host-context-changed', { theme: 'light' });
  await expect.poll(ground).not.toBe(dark);
  expect(await shown.text()).toContain(SITE_WORDS.es.visitors);
  await shown.tell('ui/notifications/host-context-changed', { locale: 'pt-BR' });
  await expect.poll(shown.text).toContain(SITE_WORDS['pt-PT'].pageviews);
  await expectSound(shown);

  await shown.tell('ping', {}, 7);
  await shown.tell('ui/resource-teardown', {}, 8);
  await expect.poll(async () => (await shown.sent()).filter((said) => said === '{}')).toHaveLength(2);
});

test('a website on a phone, without traffic, refused, or in a shape that nobody knows', async () => {
  const { userId } = await createVisitedSite(stack());
  const agent = await createAgent(stack(), userId);
  const shown = await open('site', { theme: 'light', locale: 'en-GB' }, 343);
  await show(shown, resultOf(await agent.ask('summarize_site')));
  await expect.poll(shown.text).toContain('example.com');
  await expectSound(shown);

  const empty = await agent.ask('summarize_site', { from: '2026-01-01', to: '2026-01-02' });
  await show(shown, resultOf(empty));
  await expect.poll(shown.text).toContain(SITE_WORDS.en.unobserved);

  const refused = await agent.call('summarize_site', { period: 'a year' });
  await show(shown, {
    isError: true,
    content: [{ type: 'text', text: JSON.stringify({ error: refused.answer }) }],
  });
  await expect.poll(shown.text).toContain('period must be one of');

  for (const structuredContent of [{}, null, { data: 'x' }, [1], 7]) {
    await show(shown, { structuredContent });
    await expect.poll(shown.text).toBe(SENTENCES.en.unreadable);
    await show(shown, { content: [{ type: 'text', text: JSON.stringify(empty) }] });
    await expect.poll(shown.text).toContain(SITE_WORDS.en.unobserved);
  }
  await shown.tell('ui/notifications/tool-cancelled', {});
  await expect.poll(shown.text).toBe(SENTENCES.en.cancelled);
  expect(shown.faults).toEqual([]);
});

test('a trace: its spans in their time, what failed, by the keyboard; hostile names are text', async () => {
  const world = await createBackend(stack());
  const traceId = traceIdOf(4711);
  const startMs = Date.now() - 120_000;
  await world.send([
    { traceId, spanId: spanIdOf(100), service: 'shop', name: HOSTILE, startMs, durationMs: 100, status: 2 },
    {
      ...{ traceId, spanId: spanIdOf(101), parentSpanId: spanIdOf(100), service: HOSTILE, name: 'half' },
      ...{ startMs: startMs + 50, durationMs: 50, attributes: { [HOSTILE]: HOSTILE } },
    },
  ]);
  const agent = await createAgent(stack(), world.owner.userId);
  const shown = await open('trace', { theme: 'light', locale: 'pt-PT' });
  for (const view of ['summary', 'spans'] as const) {
    const answer = await agent.ask('get_trace', { environment: world.environmentId, traceId, view });
    await show(shown, resultOf(answer));
    const heading = view === 'spans' ? TRACE_WORDS['pt-PT'].allSpans : TRACE_WORDS['pt-PT'].critical;
    await expect.poll(shown.text).toContain(heading);
    const text = await shown.text();
    expect(text).toContain(HOSTILE);
    expect(text).toContain(traceId);
    await expectSound(shown);
  }
  const bars = await shown.view.locator('.line .bar').evaluateAll((found) =>
    found.map((bar) => {
      const line = (bar.parentElement as Element).getBoundingClientRect();
      const { left, width } = bar.getBoundingClientRect();
      return [(left - line.left) / line.width, width / line.width].map((share) => share.toFixed(1));
    }),
  );
  expect(bars).toEqual([
    ['0.0', '1.0'],
    ['0.5', '0.5'],
  ]);
  expect(await shown.view.getByRole('img', { name: TRACE_WORDS['pt-PT'].failed }).count()).toBe(1);

  await shown.view.locator('summary').first().focus();
  await shown.page.keyboard.press('Tab');
  await shown.page.keyboard.press('Enter');
  await expect.poll(() => shown.view.locator('details[open] .attributes').innerText()).toContain(HOSTILE);
  await expectSound(shown);

  const journey = await agent.ask('get_trace', {
    environment: world.environmentId,
    traceId,
    view: 'journey',
  });
  await show(shown, resultOf(journey));
  await expect.poll(shown.text).toContain(TRACE_WORDS['pt-PT'].noPage);
  await expectSound(shown);
});
