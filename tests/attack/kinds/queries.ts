import fc from 'fast-check';
import { queryInputs } from '../../../scripts/openapi/inputs.ts';
import { requestOf } from '../../security/example-request.ts';
import { hostileText } from '../../security/hostile-values.ts';
import type { Attacker, Attempt } from '../attempt.ts';
import { READING } from '../targets.ts';

/** Text that `URLSearchParams` would correct. */
const rawText = fc.oneof(
  hostileText.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom('%', '%ff', '%c3%28', '%00', '+', '&', '=', '%u0041', 'x'.repeat(6000)),
);

/** A documented query with one or two parameters replaced, added or repeated. */
export const hostileQueries = ({ own }: Attacker): fc.Arbitrary<Attempt> =>
  fc.constantFrom(...READING).chain((target) => {
    const example = target.route.examples.find(({ status }) => status < 300);
    const [documented, init] = requestOf(target.route, example ?? { summary: '', status: 400 }, own);
    const [path = '', query = ''] = documented.split('?');
    const names = Object.keys(queryInputs(target.route));
    const name = fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...names) },
      { weight: 1, arbitrary: rawText },
      { weight: 1, arbitrary: fc.constantFrom('filter_', 'filter___proto__', 'attr.', '__proto__', 'limit') },
    );
    const parameters = fc.array(fc.tuple(name, rawText), { minLength: 1, maxLength: 3 });
    return fc.tuple(parameters, fc.boolean()).map(([pairs, repeat]) => {
      const kept = query
        .split('&')
        .filter((pair) => pair !== '' && (repeat || !names.includes(pair.split('=')[0] ?? '')));
      const all = [...kept, ...pairs.map(([key, value]) => `${key}=${value}`)].join('&');
      return { ...target, path: `${path}?${all}`, init };
    });
  });
