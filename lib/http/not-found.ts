import type { Env as HonoEnv } from 'hono';
import type { HonoBase } from 'hono/hono-base';
import { TrieRouter } from 'hono/router/trie-router';
import { DomainError } from '../errors.ts';

/** Returns the methods that the app's routes have for a path; empty for an unknown path. */
export function methodsOf<E extends HonoEnv>(app: HonoBase<E>): (path: string) => string[] {
  let router: TrieRouter<string> | undefined;
  return (path) => {
    router ??= buildRouter(app);
    const found = new Set(router.match('ALL', path)[0].map(([method]) => method));
    if (found.has('GET')) found.add('HEAD');
    return [...found].sort();
  };
}

function buildRouter<E extends HonoEnv>(app: HonoBase<E>): TrieRouter<string> {
  const router = new TrieRouter<string>();
  for (const route of app.routes) if (route.method !== 'ALL') router.add('ALL', route.path, route.method);
  return router;
}

/** 405 if the path exists with other methods, else 404 (docs/api.md#errors). */
export function noRoute(methods: string[]): DomainError {
  return methods.length === 0
    ? new DomainError('NOT_FOUND', 'There is nothing at this path.')
    : new DomainError(
        'METHOD_NOT_ALLOWED',
        'This path does not support the method. `Allow` lists the methods that it supports.',
      );
}
