import fc from 'fast-check';
import { credentialOf, requestOf } from '../../security/example-request.ts';
import type { Attacker, Attempt } from '../attempt.ts';
import { OWNED } from '../targets.ts';

/** A documented request for another tenant's data, with the attacker's own valid credential. */
export const othersThings = ({ own, other }: Attacker): fc.Arbitrary<Attempt> =>
  fc.tuple(fc.constantFrom(...OWNED), fc.nat(5)).map(([target, number]) => {
    const { examples } = target.route;
    const right = examples.filter(({ status }) => status < 300);
    const example = right[number % Math.max(1, right.length)] ?? examples[0] ?? { summary: '', status: 404 };
    const [path, init] = requestOf(target.route, example, other);
    const { Authorization: _, Cookie: __, ...headers } = init.headers;
    return {
      ...target,
      path,
      init: { ...init, headers: { ...headers, ...credentialOf(target.route, own) } },
      mustFail: true as const,
    };
  });
