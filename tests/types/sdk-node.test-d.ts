import { expectTypeOf, test } from 'vitest';
import {
  type Outcome,
  type OutcomeError,
  type OutcomeResult,
  type Sdk,
  type StartOptions,
  start,
} from '../../packages/sdk-node/index.js';

test('the package takes what its README says', () => {
  expectTypeOf(start).parameter(0).toEqualTypeOf<StartOptions | undefined>();
  expectTypeOf(start).toBeCallableWith();
  expectTypeOf(start).returns.toEqualTypeOf<Sdk>();
  expectTypeOf(start).toBeCallableWith({
    reveal: { queryStrings: true, clientAddresses: true, userAgents: true },
  });
  expectTypeOf(start).toBeCallableWith({
    endpoint: 'https://vendor.example',
    apiKey: 'k',
    serviceName: 's',
    shutdownMs: 1,
    pageOrigins: ['https://shop.example'],
  });
  expectTypeOf<Sdk['shutdown']>().toEqualTypeOf<() => Promise<void>>();
  expectTypeOf<Sdk['flush']>().toEqualTypeOf<() => Promise<void>>();
  expectTypeOf<Sdk['setRoute']>().parameters.toEqualTypeOf<[route: string]>();
  expectTypeOf<Sdk['confirmOutcome']>().parameters.toEqualTypeOf<[outcome: Outcome]>();
  expectTypeOf<Sdk['confirmOutcome']>().returns.resolves.toEqualTypeOf<OutcomeResult>();
  expectTypeOf<Sdk['confirmOutcome']>().toBeCallableWith({
    source: 'shop',
    domainEventId: 'order-4711-paid',
    type: 'order.paid',
    occurredAt: new Date(),
    value: { amount: '49.90', currency: 'EUR' },
    attributes: { plan: 'yearly', seats: 2, renewed: true },
  });
  expectTypeOf<OutcomeResult['status']>().toEqualTypeOf<'created' | 'duplicate'>();
  expectTypeOf<OutcomeError>().toExtend<Error>();
  expectTypeOf<OutcomeError['code']>().toEqualTypeOf<
    'conflict' | 'invalid' | 'refused' | 'unavailable' | 'inactive'
  >();
});

test('the package refuses what the service would refuse', () => {
  // @ts-expect-error -- an amount is a text, so that no digit is lost
  expectTypeOf<Outcome['value']>().toEqualTypeOf<{ amount: number; currency: string }>();
  // @ts-expect-error -- no outcome without the id that makes it count once
  start().confirmOutcome({ source: 'shop', type: 'order.paid', occurredAt: new Date() });
  // @ts-expect-error -- attributes are scalars
  expectTypeOf<Outcome['attributes']>().toEqualTypeOf<Record<string, object> | undefined>();
  // @ts-expect-error -- no such option
  start({ url: 'https://vendor.example' });
});
