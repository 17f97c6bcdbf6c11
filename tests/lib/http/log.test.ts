/** A log line holds no value of a request, a command or an answer, whatever error it is about. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NeonDbError } from '@neondatabase/serverless';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { causesOf } from '../../../lib/http/log.ts';
import { connectRedis } from '../../../lib/redis.ts';
import { makeWorld, pageview } from '../../functions/track/track-world.ts';

const SECRET = 'S3CRET';

/** A Redis that answers every command with this text. */
async function withRedis(status: number, text: string, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer((_, response) => response.writeHead(status).end(text));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
  }
}

const thrownBy = async (work: () => unknown): Promise<unknown> => {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown.');
};

test('an error of Redis is logged without its command and without its answer', async () => {
  for (const [status, text] of [
    [400, '{"error":"ERR it is full"}'],
    [200, `${SECRET} is no JSON`],
  ] as const)
    await withRedis(status, text, async (url) => {
      const error = await thrownBy(() => connectRedis({ url, token: 't' }).set('salt', SECRET));
      expect(String(error)).toContain(SECRET);
      expect(JSON.stringify(causesOf(error))).not.toContain(SECRET);
      expect(JSON.stringify(causesOf(error))).toMatch(/ERR it is full|no JSON/);
    });
});

test('the tracker’s log of a Redis in trouble has no salt, no hash and no script', async () => {
  await withRedis(400, '{"error":"ERR it is full"}', async (url) => {
    const world = makeWorld({ redis: { url, token: 't' } });
    const site = world.addSite({ consentMode: 'required', preConsentTier: 'sessions' });
    await world.track({ site, events: [pageview()] });
    expect(world.log).not.toEqual([]);
    expect(JSON.stringify(world.log)).toContain('ERR it is full');
    expect(JSON.stringify(world.log)).not.toMatch(/command was|salt:|"SET"/i);
  });
});

test.each<[string, () => unknown]>([
  ['a body that is no JSON', () => JSON.parse(SECRET)],
  ['data that breaks its schema', () => v.parse(v.object({ a: v.number() }), { a: SECRET })],
  [
    'a value that the database refuses',
    () => {
      const error = new NeonDbError(`invalid input syntax for type uuid: "${SECRET}"`);
      error.code = '22P02';
      throw error;
    },
  ],
  [
    'what is no Error',
    () => {
      throw SECRET;
    },
  ],
])('%s is logged without it', async (_, work) => {
  const error = await thrownBy(work);
  expect(`${error}`).toContain(SECRET);
  const causes = causesOf(new Error('It failed.', { cause: error }));
  expect(causes).toHaveLength(2);
  expect(JSON.stringify(causes)).not.toContain(SECRET);
  expect(causes[0]).toMatchObject({ message: 'It failed.', stack: expect.stringMatching(/^\s+at /) });
});
