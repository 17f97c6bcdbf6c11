/** The way out: what a name resolves to is checked at each connection, and the connection goes to what was checked. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEgress, type ResolvedAddress } from '../../tooling/egress.ts';
import { type Receiver, startReceiver } from '../functions/messages/receiver.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver(({ path }) =>
    path === '/redirect'
      ? { status: 302, headers: { Location: '/other' } }
      : { status: 200, body: 'x'.repeat(3000) },
  );
});
afterAll(() => receiver.close());

const port = () => new URL(receiver.url).port;
const request = (host: string, path = '/') => ({
  url: `https://${host}:${port()}${path}`,
  headers: { 'WebHook-Request-Origin': 'vendor.example' },
  body: '{}',
});
const at = (address: string, family = address.includes(':') ? 6 : 4): ResolvedAddress => ({
  address,
  family,
});
const PUBLIC = at('93.184.215.14');

test('a name that resolves to a private address is refused, also beside a public one', async () => {
  for (const addresses of [
    [at('10.0.0.1')],
    [PUBLIC, at('127.0.0.1')],
    [at('::ffff:127.0.0.1')],
    [at('fd00::1')],
    [],
  ]) {
    const egress = openEgress({ loopback: 'refused', resolve: async () => addresses });
    expect(await egress(request('rebind.example.com'))).toMatchObject({
      status: null,
      fault: 'The address leads into a network that isn’t public.',
    });
  }
  expect(receiver.received).toEqual([]);
});

test('a name that changes its answer is never reached in a private network, whatever the order of its answers', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('93.184.215.14', '127.0.0.1', '10.1.2.3', '169.254.169.254'), {
        minLength: 2,
        maxLength: 6,
      }),
      async (answers) => {
        const asked: string[] = [];
        const egress = openEgress({
          loopback: 'refused',
          timeoutMs: 50,
          resolve: async () => {
            const address = answers[asked.length % answers.length] as string;
            asked.push(address);
            return [at(address)];
          },
        });
        // The public address isn't reached from here: what matters is that each connection asks once and goes nowhere else.
        const { fault } = await egress(request('rebind.example.com'));
        expect(asked).toHaveLength(1);
        if (asked[0] !== '93.184.215.14') expect(fault).toContain('isn’t public');
        expect(receiver.received).toEqual([]);
      },
    ),
    { numRuns: 30 },
  );
});

test('it connects to the address that was checked, keeps 1,024 bytes, and follows no redirect', async () => {
  const egress = openEgress({ loopback: 'allowed' });
  const answer = await egress({ ...request(''), url: `${receiver.url}/` });
  expect(answer).toMatchObject({ status: 200, body: 'x'.repeat(1024), fault: null });
  expect(await egress({ ...request(''), url: `${receiver.url}/redirect` })).toMatchObject({ status: 302 });
  expect(receiver.received.map(({ path }) => path)).toEqual(['/', '/redirect']);
});

test('a receiver that doesn’t answer is given up', async () => {
  const silent = await startReceiver(() => new Promise<never>(() => {}));
  const egress = openEgress({ loopback: 'allowed', timeoutMs: 100 });
  expect(await egress({ ...request(''), url: silent.url })).toMatchObject({
    status: null,
    fault: 'There was no answer in 10 seconds.',
  });
  await silent.close();
});
