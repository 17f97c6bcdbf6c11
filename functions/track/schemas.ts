import * as v from 'valibot';
import { Receipt } from '../../lib/collection/receipt.ts';
import { Consent } from '../../lib/privacy/policy.ts';
import { Alias } from '../../lib/sites/alias.ts';

export { TrackRequest } from '../../lib/collection/track-request.ts';

export const PolicyQuery = v.strictObject({ site: Alias, consent: v.optional(Consent) });

/** The tracker policy answer (docs/tracker-protocol.md#policy-answer). */
export const PolicyAnswer = v.strictObject({
  site: v.optional(v.pipe(v.string(), v.description('The id of the site, where an alias asked.'))),
  maxTier: v.picklist([0, 1, 2, 3]),
  stop: v.optional(v.picklist(['gpc', 'policy'])),
  cap: v.optional(v.literal('dnt')),
});

export const TrackAnswer = v.strictObject({
  data: Receipt,
  policy: PolicyAnswer,
  warnings: v.optional(
    v.pipe(
      v.array(v.string()),
      v.maxLength(20),
      v.description('What was changed, left out or dropped because it breaks a rule, for the page’s author.'),
    ),
  ),
});

/** Only the site of a body: it is read before the rest is checked, so that errors have the policy answer too. */
export const TrackAddressee = v.looseObject({ site: Alias });
