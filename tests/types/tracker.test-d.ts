/// <reference path="../../packages/tracker/src/global.d.ts" />
import { expectTypeOf, test } from 'vitest';
import {
  consent,
  ignore,
  init,
  page,
  type Settings,
  track,
  visitorId,
} from '../../packages/tracker/index.js';

test('the package takes what its README says', () => {
  expectTypeOf(init).parameters.toEqualTypeOf<[settings: Settings]>();
  expectTypeOf<Settings>().pick<'site' | 'api'>().toEqualTypeOf<{ site: string; api: string }>();
  expectTypeOf<Settings['downloads']>().toEqualTypeOf<boolean | readonly string[] | undefined>();
  expectTypeOf(consent).parameter(0).toEqualTypeOf<'granted' | 'denied'>();
  expectTypeOf(page).toBeCallableWith();
  expectTypeOf(page).toBeCallableWith({
    url: 'https://example.com/a',
    props: { author: 'Ana' },
    callback() {},
  });
  expectTypeOf(track).toBeCallableWith('purchase', {}, '12.34 EUR', { interactive: false });
  expectTypeOf(ignore).parameter(0).toEqualTypeOf<boolean | undefined>();
  expectTypeOf(visitorId).returns.toEqualTypeOf<string | undefined>();
  for (const call of [init, consent, ignore, track, page]) expectTypeOf(call).returns.toEqualTypeOf<void>();
});

test('the package refuses what the service would refuse', () => {
  // @ts-expect-error a site has an id
  expectTypeOf(init).toBeCallableWith({ api: 'https://vendor.example' });
  // @ts-expect-error consent is granted or denied
  expectTypeOf(consent).toBeCallableWith(true);
  // @ts-expect-error an event has a name
  expectTypeOf(track).toBeCallableWith();
  // @ts-expect-error properties are flat
  expectTypeOf(track).toBeCallableWith('signup', { plan: { name: 'pro' } });
  // @ts-expect-error a page view has no name
  expectTypeOf(page).toBeCallableWith({ name: 'Home' });
  // @ts-expect-error an amount has a currency
  expectTypeOf(track).toBeCallableWith('purchase', {}, { amount: 12.34 });
});

test('the global of a page has the same calls as the package, and may not be there yet', () => {
  expectTypeOf(window.vendor).toEqualTypeOf<Vendor | undefined>();
  expectTypeOf<Vendor['consent']>().toEqualTypeOf<typeof consent>();
  expectTypeOf<Vendor['track']>().toEqualTypeOf<typeof track>();
  expectTypeOf<Vendor['page']>().toEqualTypeOf<typeof page>();
  expectTypeOf<Vendor['visitorId']>().toEqualTypeOf<typeof visitorId>();
  expectTypeOf<Vendor['ignore']>().toEqualTypeOf<typeof ignore | undefined>();
});

test('the queue before the script holds calls by their names', () => {
  expectTypeOf<['consent', 'granted']>().toExtend<VendorCall>();
  expectTypeOf<['track', 'signup', { plan: 'pro' }]>().toExtend<VendorCall>();
  expectTypeOf<['page']>().toExtend<VendorCall>();
  expectTypeOf<['page', { url: string }]>().toExtend<VendorCall>();
  expectTypeOf<['consent', 'maybe']>().not.toExtend<VendorCall>();
  expectTypeOf<['identify', 'somebody']>().not.toExtend<VendorCall>();
});
