import fc from 'fast-check';
import { createToken, type TokenPrefix } from '../../../lib/tokens.ts';
import { credentialOf, requestOf } from '../../security/example-request.ts';
import { MARK } from '../../security/hostile-values.ts';
import type { Attacker, Attempt } from '../attempt.ts';
import { PRIVATE } from '../targets.ts';

const token = fc
  .tuple(
    fc.constantFrom<TokenPrefix>('vapi', 'ving', 'vqry'),
    fc.uint8Array({ minLength: 64, maxLength: 64 }),
  )
  .map(([prefix, random]) =>
    createToken(prefix, (bytes) => {
      bytes.set(random.subarray(0, bytes.length));
      return bytes;
    }),
  );

const flip = (text: string, at: number): string => {
  const index = at % Math.max(1, text.length);
  return `${text.slice(0, index)}${text[index] === 'A' ? 'B' : 'A'}${text.slice(index + 1)}`;
};

const value = fc.oneof(
  token.map((made) => `Bearer ${made}`),
  fc.constantFrom(
    '',
    'Bearer',
    'Bearer ',
    'bearer x y',
    'Basic Og==',
    'Digest realm="x"',
    `Bearer ${MARK}`,
    `Bearer vapi_${"' or '1'='1".padEnd(49, '-')}`,
    `Bearer ${'x'.repeat(6000)}`,
    'Bearer __proto__',
  ),
);
const cookie = fc.constantFrom(
  '',
  ';;;',
  '=',
  'vendor.session_token',
  'vendor.session_token=',
  'vendor.session_token=%ff',
  `vendor.session_token=${MARK}.${MARK}`,
  `vendor.session_token=${'x'.repeat(5000)}`,
  '__proto__=1; constructor=2',
);

/** A documented request with a credential that isn't valid. */
export const hostileCredentials = ({ own }: Attacker): fc.Arbitrary<Attempt> =>
  fc
    .tuple(
      fc.constantFrom(...PRIVATE),
      value,
      cookie,
      // In a cookie this part is the token. The signature of a cookie isn't checked, because nobody can guess the token.
      fc.nat(31),
      fc.constantFrom('token', 'cookie', 'changed', 'mixed'),
    )
    .map(([target, authorization, cookies, at, how]) => {
      const example = target.route.examples[0] ?? { summary: '', status: 400 };
      const [path, init] = requestOf(target.route, example, own);
      const { Authorization: _, Cookie: __, ...headers } = init.headers;
      const [[name, secret] = ['Authorization', '']] = Object.entries(credentialOf(target.route, own));
      const start = secret.search(/[ =]/) + 1;
      const credentials: Record<string, Record<string, string>> = {
        token: { Authorization: authorization },
        cookie: { Cookie: cookies },
        changed: { [name]: secret.slice(0, start) + flip(secret.slice(start), at) },
        mixed: { Authorization: authorization, Cookie: cookies },
      };
      return {
        ...target,
        path,
        init: { ...init, headers: { ...headers, ...credentials[how] } },
        mustFail: true as const,
      };
    });
