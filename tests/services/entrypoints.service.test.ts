/** What functions ask of each other has no way in from outside: not by a path, a host or a port, and not by a gateway that errs. */
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { CONTENT_PLACEHOLDER_HOST, PLACEHOLDER_HOST, readDeployment } from '../../tooling/deployment.ts';
import { createTenant } from '../security/tenant.ts';
import { useStack } from './use-stack.ts';

const stack = useStack();
const FUNCTIONS = readDeployment();

/** The paths that were once answered, and those that somebody may try who has read the code. */
const PATHS = [
  '/internal/health',
  '/internal/messages',
  '/internal/sites/SITE/policy',
  '/SITE',
  '/Health',
  '/Messages',
  '/Policies/SITE',
  '/SharePages/SITE',
  '/internal',
];
/** The path as it is, and as a careless router might take it for that path. */
const SPELLINGS: ((path: string) => string)[] = [
  (path) => path,
  (path) => `/${path}`,
  (path) => `/tracker.js/..${path}`,
  (path) => `/%2e${path}`,
  (path) => path.replaceAll(/(?<=.)\//g, '%2F'),
  (path) => `${path}/`,
  (path) => `${path}?entrypoint=Messages`,
];
const METHODS = ['GET', 'POST'];

/** Sends the path as it stands, which `fetch` would tidy up. */
function statusOf(base: string, method: string, path: string, host: string, address: string) {
  const { hostname, port } = new URL(base);
  return new Promise<number | undefined>((resolve, reject) => {
    const headers = {
      ...{ Host: host, 'X-Forwarded-For': address, 'Content-Type': 'application/json' },
      'CF-Worker': PLACEHOLDER_HOST,
    };
    const sent = request({ hostname, port, method, path, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    sent.on('error', reject).end(method === 'POST' ? '[]' : undefined);
  });
}

/** Those that a deployment has, and names of functions as hosts. */
const OWN_HOSTS = [PLACEHOLDER_HOST, CONTENT_PLACEHOLDER_HOST, 'localhost', '127.0.0.1'];
const HOSTS = [...OWN_HOSTS, ...FUNCTIONS.flatMap(({ fn, name }) => [fn, `${name}.account.workers.dev`])];

/** Own hosts get each spelling. The others get the plain one, and take turns with the rest. */
const spellingsFor = (host: string): typeof SPELLINGS => {
  const turn = 1 + (HOSTS.indexOf(host) % (SPELLINGS.length - 1));
  return OWN_HOSTS.includes(host) ? SPELLINGS : SPELLINGS.filter((_, index) => index === 0 || index === turn);
};

describe.each(['baseUrl', 'contentUrl'] as const)('at %s', (door) => {
  test.each(HOSTS)('%s answers 404', async (host) => {
    const { siteId } = await createTenant(stack().sql);
    const answers: string[] = [];
    let sent = 0;
    for (const path of PATHS)
      for (const spell of spellingsFor(host))
        for (const method of METHODS) {
          const spelt = spell(path.replace('SITE', siteId));
          sent += 1;
          // Another client address each time, since the content service counts requests by address.
          const address = `10.${HOSTS.indexOf(host)}.${door === 'baseUrl' ? 1 : 2}.${sent}`;
          const status = await statusOf(stack()[door], method, spelt, host, address);
          if (status !== 404) answers.push(`${status} ${method} ${spelt}`);
        }
    expect(answers).toEqual([]);
  });
});

test.each(FUNCTIONS.map(({ fn }) => fn))('%s answers 404 even if such a request gets there', async (fn) => {
  const { siteId } = await createTenant(stack().sql);
  const answers: string[] = [];
  for (const path of PATHS)
    for (const method of METHODS) {
      const body = method === 'POST' ? { body: '[]' } : {};
      const response = await stack().call(fn, path.replace('SITE', siteId), { method, ...body });
      await response.text();
      if (response.status !== 404) answers.push(`${response.status} ${method} ${path}`);
    }
  // It tells nothing, and is there for the `track` of 0.1.0 (functions/sites/app.ts).
  const expected =
    fn === 'sites' ? ['503 GET /internal/sites/SITE/policy', '405 POST /internal/sites/SITE/policy'] : [];
  expect(answers).toEqual(expected);
});
