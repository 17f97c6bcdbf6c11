import fc from 'fast-check';
import { requestOf } from '../../security/example-request.ts';
import { hostileText } from '../../security/hostile-values.ts';
import type { Attacker, Attempt } from '../attempt.ts';
import { TARGETS } from '../targets.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND'];

const part = fc.oneof(
  hostileText.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom('%2e%2e', '..', '.', '%2f', '%00', '%ff', '%', ';x=1', '~', '*', 'x'.repeat(7000)),
);

/** A documented path with a part replaced or added, in any case, by any method. */
export const hostilePaths = ({ own }: Attacker): fc.Arbitrary<Attempt> =>
  fc
    .tuple(
      fc.constantFrom(...TARGETS),
      fc.constantFrom(...METHODS),
      part,
      fc.nat(8),
      fc.constantFrom('replace', 'add', 'upper', 'double'),
    )
    .map(([target, method, text, at, change]) => {
      const [documented, { headers }] = requestOf(target.route, { summary: '', status: 404 }, own);
      const parts = documented.split('/');
      if (change === 'replace') parts[1 + (at % Math.max(1, parts.length - 1))] = text;
      if (change === 'add') parts.splice(1 + at, 0, text);
      const path = parts.join('/');
      const sent =
        change === 'upper' ? path.toUpperCase() : change === 'double' ? path.replaceAll('/', '//') : path;
      // `fetch` would read a host after a leading `//`.
      return {
        ...target,
        path: sent.replace(/^\/+/, '/'),
        init: { method, headers },
        elsewhere: true as const,
      };
    });
