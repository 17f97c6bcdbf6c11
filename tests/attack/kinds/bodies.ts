import fc from 'fast-check';
import { requestOf } from '../../security/example-request.ts';
import { bent, garbage, spoiled } from '../../security/hostile-values.ts';
import type { Attacker, Attempt } from '../attempt.ts';
import { WRITING } from '../targets.ts';

const contentType = fc.oneof(
  { weight: 6, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('text/plain', 'text/html', '', 'application/json; charset=utf-16'),
  },
);

export const hostileBodies = ({ own }: Attacker): fc.Arbitrary<Attempt> =>
  fc.constantFrom(...WRITING).chain((target) => {
    const examples = target.route.examples.filter(({ body }) => body !== undefined);
    const example = examples.find(({ status }) => status < 300) ?? examples[0];
    const [path, init] = requestOf(target.route, example ?? { summary: '', status: 400, body: {} }, own);
    const right = JSON.parse(String(init.body ?? '{}')) as object;
    return fc.tuple(fc.oneof(garbage, spoiled(right), bent(right)), contentType).map(([body, type]) => ({
      ...target,
      path,
      init: { ...init, body, headers: { ...init.headers, 'Content-Type': type } },
    }));
  });
