/** Events that break a rule, beside others of the same request. */
import { describe, expect, test } from 'vitest';
import { sampleEvents } from '../../lib/collection/track-sample.ts';
import { makeWorld, pageview } from './track-world.ts';

const policy = { consentMode: 'required', preConsentTier: 'counts' } as const;

interface Answer {
  data: { accepted: number; dropped: number };
  warnings?: string[];
}

/** Sends the events after a good page view; `answer` is the answer, `kept` what was stored of the others. */
async function send(...events: unknown[]) {
  const world = makeWorld();
  const good = pageview();
  const body = JSON.stringify({ site: world.addSite(policy), consent: 'granted', events: [good, ...events] });
  const response = await world.track(body);
  expect(response.status).toBe(202);
  const answer = (await response.json()) as Answer;
  const [stored, ...kept] = world.sent[0]?.events ?? [];
  expect(stored).toMatchObject({ type: 'pageview', id: good.id });
  return { answer, kept };
}

const [view = {}, custom = {}, engagement = {}, vitals = {}, association = {}] = sampleEvents();
const event = (changes: Record<string, unknown>) => ({ ...custom, id: crypto.randomUUID(), ...changes });

describe('refused, counted by its reason, and said; the others count', () => {
  test.each<[what: string, broken: unknown, warning: string]>([
    ['not an object', 'event', 'must be an object'],
    ['null', null, 'must be an object'],
    ['a list', [], 'must be an object'],
    ['type', { ...view, type: 'purchase' }, 'type must be one of'],
    ['prototype', { ...view, type: '__proto__' }, 'type must be one of'],
    ['id', { ...view, id: 1 }, 'id must be a string'],
    ['no id', { ...view, id: undefined }, 'id is required'],
    ['page id missing', { ...view, pageId: undefined }, 'pageId is required'],
    ['url', { ...view, url: '/shop' }, 'url must be an absolute URL'],
    [
      'long url',
      { ...view, url: `https://example.com/${'a'.repeat(8192)}` },
      'url must have at most 8192 characters',
    ],
    ['name', event({ name: 5 }), 'name must be a string'],
    ['empty name', event({ name: '' }), 'name must not be empty'],
    ['seconds', { ...engagement, seconds: -1 }, 'seconds must be at least 0'],
    ['scroll depth', { ...engagement, scrollDepth: 101 }, 'scrollDepth must be at most 100'],
    ['vital', { ...vitals, lcp: '1' }, 'lcp must be a number'],
    ['trace id', { ...association, traceId: '0'.repeat(32) }, 'traceId must be a W3C trace id'],
    [
      'origin',
      { ...association, origin: 'https://api.example.com/path' },
      'origin must be an http(s) origin',
    ],
  ])('%s', async (_, broken, warning) => {
    const { answer, kept } = await send(broken, event({}));
    expect(answer.data).toEqual({ accepted: 2, dropped: 1, reasons: { invalid: 1 } });
    expect(answer.warnings).toEqual([expect.stringContaining(`${warning}`)]);
    expect(answer.warnings?.[0]).toMatch(/^Vendor: .*; the event was dropped\.$/);
    expect(kept).toMatchObject([
      { type: 'event', name: 'buy' },
      { type: 'dropped', reason: 'invalid' },
    ]);
  });

  test('all of a request', async () => {
    const world = makeWorld();
    const response = await world.track({
      site: world.addSite(policy),
      events: [{ ...view, url: 'nowhere' }],
    });
    expect(await response.json()).toMatchObject({ data: { accepted: 0, dropped: 1 } });
    expect(world.sent).toMatchObject([{ tier: 0, events: [{ type: 'dropped', reason: 'invalid' }] }]);
  });

  test('sent again it is the same refusal, and once it is right it counts', async () => {
    const broken = event({ name: '' });
    const again = [await send(broken), await send(broken)].map(({ kept }) => kept[0]?.id);
    expect(again[0]).toBe(again[1]);
    const { kept } = await send({ ...broken, name: 'buy' });
    expect(kept[0]?.id).toBe(broken.id);
    expect(again[0]).not.toBe(broken.id);
  });

  test('a robot stays a robot', async () => {
    const world = makeWorld();
    const headers = { 'User-Agent': 'curl/8.0' };
    await world.track(
      { site: world.addSite(policy), events: [pageview(), event({ name: '' })] },
      { headers },
    );
    expect(world.sent[0]?.events).toMatchObject([{ reason: 'bot' }, { reason: 'bot' }]);
  });
});

describe('kept in part, and said', () => {
  const long = 'x'.repeat(600);
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`p${n}`, n]));
  const noRevenue = 'revenue must be an amount, not negative, and a currency of ISO 4217; it was left out.';

  test.each<
    [what: string, changes: Record<string, unknown>, kept: Record<string, unknown>, warnings: string[]]
  >([
    [
      'null',
      { props: { plan: null, n: 1 } },
      { props: { n: 1 } },
      ['props.plan must be text, a number, true or false; it was left out.'],
    ],
    [
      'nested, and a list',
      { props: { a: { b: 1 }, c: [1], d: true } },
      { props: { d: true } },
      [
        'props.a must be text, a number, true or false; it was left out.',
        'props.c must be text, a number, true or false; it was left out.',
      ],
    ],
    [
      'long text',
      { props: { a: long } },
      { props: { a: 'x'.repeat(512) } },
      ['props.a was cut to 512 characters.'],
    ],
    ['long name', { name: 'n'.repeat(65) }, { name: 'n'.repeat(64) }, ['name was cut to 64 characters.']],
    [
      'never within a character',
      { name: `${'n'.repeat(63)}😀` },
      { name: 'n'.repeat(63) },
      ['name was cut to 64 characters.'],
    ],
    [
      'too many',
      { props: many },
      { props: Object.fromEntries(Object.entries(many).slice(0, 20)) },
      ['props have at most 20 fields; the others were left out.'],
    ],
    [
      'a list of properties',
      { props: [1, 2] },
      { props: undefined },
      ['props must be an object; they were left out.'],
    ],
    [
      'text for properties',
      { props: 'pro' },
      { props: undefined },
      ['props must be an object; they were left out.'],
    ],
    [
      'a long key, which is not echoed',
      { props: { ['k'.repeat(65)]: 1, n: 1 } },
      { props: { n: 1 } },
      ['props.* needs another name, of at most 64 characters; it was left out.'],
    ],
    [
      'a key of the prototype',
      { props: JSON.parse('{"__proto__":1,"constructor":2,"n":1}') },
      { props: { n: 1 } },
      [
        'props.__proto__ needs another name, of at most 64 characters; it was left out.',
        'props.constructor needs another name, of at most 64 characters; it was left out.',
      ],
    ],
    [
      'text that cannot be stored',
      { props: { a: 'x\ud800y\0z' } },
      { props: { a: 'x\ufffdy z' } },
      ['props.a had characters that can’t be stored; they were left out.'],
    ],
    [
      'revenue as a number',
      { revenue: { amount: 12.5, currency: 'EUR' } },
      { revenue: { amount: '12.5', currency: 'EUR' } },
      [],
    ],
    [
      'revenue that a computer added up',
      { revenue: { amount: 0.1 + 0.2, currency: 'EUR' } },
      { revenue: { amount: '0.3', currency: 'EUR' } },
      [],
    ],
    [
      'the same as text',
      { revenue: { amount: '0.30000000000000004', currency: 'EUR' } },
      { revenue: { amount: '0.3', currency: 'EUR' } },
      [],
    ],
    [
      'a whole number',
      { revenue: { amount: 100, currency: 'EUR' } },
      { revenue: { amount: '100', currency: 'EUR' } },
      [],
    ],
    [
      'small letters',
      { revenue: { amount: '1', currency: 'eur' } },
      { revenue: { amount: '1', currency: 'EUR' } },
      [],
    ],
    ['one text', { revenue: ' 12.34 eur ' }, { revenue: { amount: '12.34', currency: 'EUR' } }, []],
    [
      'a made-up currency',
      { revenue: { amount: '1', currency: 'QQQ' } },
      { revenue: undefined },
      [noRevenue],
    ],
    ['negative revenue', { revenue: { amount: -1, currency: 'EUR' } }, { revenue: undefined }, [noRevenue]],
    ['negative text', { revenue: { amount: '-1', currency: 'EUR' } }, { revenue: undefined }, [noRevenue]],
    ['no number', { revenue: { amount: null, currency: 'EUR' } }, { revenue: undefined }, [noRevenue]],
    [
      'an endless number',
      { revenue: { amount: 1e21, currency: 'EUR' } },
      { revenue: undefined },
      [noRevenue],
    ],
    ['a comma', { revenue: '12,34 EUR' }, { revenue: undefined }, [noRevenue]],
    ['no currency', { revenue: { amount: 5 } }, { revenue: undefined }, [noRevenue]],
    [
      'interactive as text',
      { interactive: 'false' },
      { interactive: undefined },
      ['interactive must be true or false; it was left out.'],
    ],
    ['an interaction, which all are', { interactive: true }, { interactive: undefined }, []],
    ['no interaction', { interactive: false }, { interactive: false }, []],
    ['a list for revenue', { revenue: [1, 'EUR'] }, { revenue: undefined }, [noRevenue]],
  ])('%s', async (_, changes, expected, warnings) => {
    const { answer, kept } = await send(event(changes));
    expect(answer.data).toEqual({ accepted: 2, dropped: 0 });
    expect(answer.warnings ?? []).toEqual(warnings.map((warning) => `Vendor: ${warning}`));
    expect(kept[0]).toMatchObject({
      type: 'event',
      ...Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== undefined)),
    });
    for (const [name, value] of Object.entries(expected))
      if (value === undefined) expect(kept[0]).not.toHaveProperty(name);
  });

  test.each<[what: string, broken: Record<string, unknown>, field: string]>([
    ['an unknown field', { ...view, ip: '192.0.2.1' }, 'ip'],
    [
      'a name of the prototype',
      JSON.parse(JSON.stringify(view).replace('{', '{"constructor":1,')),
      'constructor',
    ],
    ['a key that is none', { ...custom, '<b>': 1 }, '*'],
    ['revenue of a page view', { ...view, revenue: { amount: '1', currency: 'EUR' } }, 'revenue'],
    ['a page view that is no interaction', { ...view, interactive: false }, 'interactive'],
  ])('%s', async (_, broken, field) => {
    const { answer, kept } = await send({ ...broken, id: crypto.randomUUID() });
    expect(answer.data).toEqual({ accepted: 2, dropped: 0 });
    expect(answer.warnings).toEqual([`Vendor: ${field} is not a known field; it was left out.`]);
    for (const key of ['ip', '<b>', 'revenue', 'interactive'])
      if (broken.type === 'pageview') expect(kept[0]).not.toHaveProperty([key]);
  });

  test('what the browser says and the author cannot help goes without a word', async () => {
    const odd = {
      ...view,
      id: crypto.randomUUID(),
      title: 't'.repeat(3000),
      language: 'x'.repeat(65),
      screen: 'large',
      referrer: `https://news.example/${'r'.repeat(9000)}`,
      url: `https://example.com/shop?${'q'.repeat(9000)}`,
    };
    const { answer, kept } = await send(odd, event({ props: { a: null } }));
    expect(answer).toMatchObject({
      data: { accepted: 3, dropped: 0 },
      warnings: [expect.stringContaining('props.a')],
    });
    expect(kept[0]).toMatchObject({ type: 'pageview', path: '/shop', source: 'news.example' });
  });

  test('of an address that is too long the campaign is kept, and the route where there is room', async () => {
    const filler = Array.from({ length: 900 }, (_, n) => `parameter${n}=${n}`).join('&');
    const url = `https://example.com/shop?a=1&utm_source=mail&${filler}&gbraid=x`;
    const { answer, kept } = await send(
      { ...view, id: crypto.randomUUID(), url: `${url}#/late` },
      { ...view, id: crypto.randomUUID(), url: `${url}#/${'l'.repeat(9000)}` },
    );
    expect(answer).toEqual({ data: { accepted: 3, dropped: 0 }, policy: expect.anything() });
    // The click id tells that the click was paid for.
    const campaign = { utmSource: 'mail', source: 'mail', channel: 'Paid search' };
    expect(kept[0]).toMatchObject({ path: '/shop#/late', ...campaign });
    expect(kept[1]).toMatchObject({ path: '/shop', ...campaign });
  });

  test('each kind once, and no more than twenty', async () => {
    const { answer } = await send(event({ props: { a: null } }), event({ props: { a: [] } }));
    expect(answer.warnings).toHaveLength(1);
    const keys = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, null]));
    expect((await send(event({ props: keys }))).answer.warnings).toHaveLength(20);
  });

  test('what is nested without end', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`);
    const { answer } = await send(event({ props: { deep } }));
    expect(answer.data).toEqual({ accepted: 2, dropped: 0 });
  });
});

describe('a frame that breaks a rule is refused as a whole', () => {
  test.each<[what: string, changes: Record<string, unknown>]>([
    ['an unknown field', { colour: 'red' }],
    ['a name of the prototype', JSON.parse('{"__proto__":{}}')],
    ['consent', { consent: 'maybe' }],
    ['no events', { events: [] }],
    ['too many events', { events: Array.from({ length: 21 }, () => ({ ...view, url: 'nowhere' })) }],
  ])('%s', async (_, changes) => {
    const world = makeWorld();
    const broken = { ...view, url: 'nowhere' };
    const rest = { site: world.addSite(policy), events: [broken] };
    const body =
      '__proto__' in changes && Object.hasOwn(changes, '__proto__')
        ? JSON.stringify(rest).replace('{', '{"__proto__":{},')
        : JSON.stringify({ ...rest, ...changes });
    const response = await world.track(body);
    expect([response.status, await response.json()]).toMatchObject([400, { error: 'VALIDATION_ERROR' }]);
    expect(world.sent).toEqual([]);
  });
});
