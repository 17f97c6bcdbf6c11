import { describe, expect, test } from 'vitest';
import { createTenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { newOutcome, newSender, newSpanId, newTraceId, type Sender } from './backend-sender.ts';

const stack = useStack();
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const storedBy = ({ environmentKey }: Sender) =>
  stack().sql`select * from outcomes where environment_key = ${environmentKey} order by id`;
const sendingsTo = ({ environmentKey }: Sender) => stack().sql`
  select result, key_id, request_id, trace_id_text(trace_id) as trace, span_id_text(span_id) as span, session_id
  from outcome_sendings where environment_key = ${environmentKey} order by sent_at`;

const full = () =>
  newOutcome({
    value: { amount: '129.90', currency: 'EUR' },
    attributes: { plan: 'yearly', seats: 3, trial: false },
    traceId: newTraceId(),
    spanId: newSpanId(),
    sessionId: 'session 1',
  });

test('an outcome is created once; sent again it is a duplicate with the first time of receipt', async () => {
  const sender = await newSender(stack());
  const outcome = full();
  const [status, { data }] = await sender.outcomes(outcome);
  expect([status, data]).toEqual([201, { status: 'created', receivedAt: instant }]);
  const stored = await storedBy(sender);
  expect(stored).toMatchObject([
    { source: 'shop', type: 'order.paid', amount: '129.90', currency: 'EUR', session_id: 'session 1' },
  ]);
  const again = [
    outcome,
    // A retry with another origin (trace, span, session) is the same event.
    { ...outcome, traceId: newTraceId(), spanId: newSpanId(), sessionId: 'session 2' },
    { ...outcome, traceId: undefined, spanId: undefined, sessionId: undefined },
    // The same amount, the same instant, the same attributes.
    { ...outcome, value: { amount: '129.9', currency: 'EUR' } },
    { ...outcome, occurredAt: '2026-11-20T10:30:00+01:30' },
    { ...outcome, attributes: { trial: false, seats: 3, plan: 'yearly' } },
  ];
  for (const body of again)
    expect(await sender.outcomes(body)).toEqual([
      200,
      { data: { status: 'duplicate', receivedAt: (data as { receivedAt: string }).receivedAt } },
    ]);
  expect(await storedBy(sender)).toEqual(stored);
});

test.each([
  ['type', { type: 'order.refunded' }],
  ['time', { occurredAt: '2026-11-20T09:00:00.001Z' }],
  ['amount', { value: { amount: '129.91', currency: 'EUR' } }],
  ['currency', { value: { amount: '129.90', currency: 'USD' } }],
  ['no value', { value: undefined }],
  ['attribute', { attributes: { plan: 'yearly', seats: 4, trial: false } }],
  ['fewer attributes', { attributes: { plan: 'yearly' } }],
  ['an attribute of another type', { attributes: { plan: 'yearly', seats: '3', trial: false } }],
])('another %s under the same id is 409, and what was recorded stays', async (_, change) => {
  const sender = await newSender(stack());
  const outcome = full();
  await sender.outcomes(outcome);
  const before = await storedBy(sender);
  const [status, body] = await sender.outcomes({ ...outcome, ...change });
  expect([status, body.error]).toEqual([409, 'CONFLICT']);
  expect(JSON.stringify(body)).not.toContain(outcome.domainEventId);
  expect(await storedBy(sender)).toEqual(before);
  expect(await sender.outcomes(outcome)).toMatchObject([200, { data: { status: 'duplicate' } }]);
});

test('an event of another source is another event', async () => {
  const sender = await newSender(stack());
  const outcome = newOutcome();
  expect((await sender.outcomes(outcome))[0]).toBe(201);
  expect((await sender.outcomes({ ...outcome, source: 'stripe' }))[0]).toBe(201);
  expect(await storedBy(sender)).toHaveLength(2);
});

test('each sending is kept, with whence it came and what was answered', async () => {
  const sender = await newSender(stack());
  const outcome = full();
  const [first, second] = [newTraceId(), newTraceId()];
  const post = (body: object, id: string) =>
    sender.send('/api/v1/telemetry/outcomes', body, { 'X-Request-Id': id });
  await post({ ...outcome, traceId: first }, 'request-one');
  await post({ ...outcome, traceId: second, spanId: undefined, sessionId: undefined }, 'request-two');
  await post({ ...outcome, type: 'order.refunded' }, 'request-three');
  const [key] = await stack().sql`select id from ingest_keys where environment_id = ${sender.environmentId}`;
  const shared = { key_id: key?.id };
  expect(await sendingsTo(sender)).toEqual([
    {
      ...shared,
      result: 'created',
      request_id: 'request-one',
      trace: first,
      span: outcome.spanId,
      session_id: 'session 1',
    },
    {
      ...shared,
      result: 'duplicate',
      request_id: 'request-two',
      trace: second,
      span: null,
      session_id: null,
    },
    {
      ...shared,
      result: 'conflict',
      request_id: 'request-three',
      trace: outcome.traceId,
      span: outcome.spanId,
      session_id: 'session 1',
    },
  ]);
});

describe('a batch', () => {
  test('says of each outcome what became of it, in its order', async () => {
    const sender = await newSender(stack());
    const [known, fresh, twice] = [newOutcome(), newOutcome(), newOutcome()];
    await sender.outcomes(known);
    const [status, { data }] = await sender.outcomes({
      outcomes: [
        twice,
        known,
        { ...known, type: 'else' },
        { ...fresh, occurredAt: 'yesterday' },
        fresh,
        twice,
        { ...twice, type: 'else' },
        'no outcome',
        { ...newOutcome(), surprise: 'S3CRET' },
        newOutcome({ siteId: crypto.randomUUID() }),
      ],
    });
    const invalid = (path: string) => ({
      status: 'invalid',
      details: [{ path, message: expect.any(String) }],
    });
    expect([status, data]).toEqual([
      200,
      [
        { status: 'created', receivedAt: instant },
        { status: 'duplicate', receivedAt: instant },
        { status: 'conflict', receivedAt: instant },
        invalid('occurredAt'),
        { status: 'created', receivedAt: instant },
        { status: 'duplicate', receivedAt: instant },
        { status: 'conflict', receivedAt: instant },
        invalid(''),
        invalid('surprise'),
        invalid('siteId'),
      ],
    ]);
    expect(JSON.stringify(data)).not.toContain('S3CRET');
    const ids = (await storedBy(sender)).map((row) => row.domain_event_id);
    expect(ids.sort()).toEqual([known.domainEventId, fresh.domainEventId, twice.domainEventId].sort());
    expect((await sendingsTo(sender)).map(({ result }) => result).sort()).toEqual(
      ['created', 'created', 'created', 'duplicate', 'duplicate', 'conflict', 'conflict'].sort(),
    );
  });

  test('of the same event three ways: the first counts', async () => {
    const sender = await newSender(stack());
    const outcome = newOutcome({ value: { amount: '1', currency: 'EUR' } });
    const other = { ...outcome, value: { amount: '2', currency: 'EUR' } };
    const [, { data }] = await sender.outcomes({ outcomes: [outcome, other, outcome] });
    expect((data as { status: string }[]).map(({ status }) => status)).toEqual([
      'created',
      'conflict',
      'duplicate',
    ]);
    expect(await storedBy(sender)).toMatchObject([{ amount: '1' }]);
  });

  test('has 1 to 100 outcomes, and nothing beside them', async () => {
    const sender = await newSender(stack());
    const many = (count: number) => Array.from({ length: count }, () => newOutcome());
    expect((await sender.outcomes({ outcomes: many(100) }))[0]).toBe(200);
    for (const body of [
      { outcomes: [] },
      { outcomes: many(101) },
      { outcomes: {} },
      { outcomes: many(1), source: 'shop' },
    ])
      expect((await sender.outcomes(body))[0]).toBe(400);
    expect(await storedBy(sender)).toHaveLength(100);
  });
});

describe('a site', () => {
  test('of the project is kept; of another project, or of none, it is refused and tells nothing', async () => {
    const sender = await newSender(stack());
    const { siteId: theirs } = await createTenant(stack().sql);
    expect((await sender.outcomes(newOutcome({ siteId: sender.siteId.toUpperCase() })))[0]).toBe(201);
    expect(await storedBy(sender)).toMatchObject([{ site_id: sender.siteId }]);
    const answers = await Promise.all(
      [theirs, crypto.randomUUID()].map((siteId) => sender.outcomes(newOutcome({ siteId }))),
    );
    const details = [{ path: 'siteId', message: 'must be a site of the key’s project' }];
    for (const answer of answers) expect(answer).toMatchObject([400, { error: 'VALIDATION_ERROR', details }]);
    expect(await storedBy(sender)).toHaveLength(1);
  });

  test('that is deleted takes no outcome with it: the event is still the same one', async () => {
    const sender = await newSender(stack());
    const outcome = newOutcome({ siteId: sender.siteId });
    await sender.outcomes(outcome);
    await stack().sql`select delete_site(${sender.siteId})`;
    expect(await storedBy(sender)).toMatchObject([{ site_id: null }]);
    expect(await sender.outcomes(outcome)).toMatchObject([200, { data: { status: 'duplicate' } }]);
    expect((await sender.outcomes({ ...outcome, type: 'else' }))[0]).toBe(400);
    expect((await sender.outcomes(newOutcome({ siteId: sender.siteId })))[0]).toBe(400);
  });
});

test('an outcome of tomorrow is taken, one of the day after not', async () => {
  const sender = await newSender(stack());
  const ahead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  expect((await sender.outcomes(newOutcome({ occurredAt: ahead(23) })))[0]).toBe(201);
  expect(await sender.outcomes(newOutcome({ occurredAt: ahead(25) }))).toMatchObject([
    400,
    { details: [{ path: 'occurredAt' }] },
  ]);
});

test('a key that is still known when its environment is deleted records nothing', async () => {
  const sender = await newSender(stack());
  await sender.outcomes(newOutcome());
  await stack().sql`delete from environments where id = ${sender.environmentId}`;
  expect((await sender.outcomes(newOutcome()))[0]).toBe(401);
});
