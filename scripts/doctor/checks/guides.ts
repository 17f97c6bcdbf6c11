/** The guides of the content service were published within a day. */
import * as v from 'valibot';
import { GUIDES_KEY, GuideHead, HEAD_FIELD } from '../../../lib/content/guide-cache.ts';
import { ageOf, type Check } from '../check.ts';

const DAY_MS = 86_400_000;

export const guides: Check = {
  title: 'Guides',
  async run({ redis, redisFault, contentUrl, now }) {
    if (contentUrl === undefined) return { findings: [], notChecked: 'there is no content service' };
    if (redisFault !== undefined) return { findings: [], notChecked: 'Redis can’t be reached' };
    if (redis === undefined)
      return { findings: [], notChecked: 'needs UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN' };
    const mend = 'npm run content:publish';
    const text = await redis.hget<string>(GUIDES_KEY, HEAD_FIELD);
    const head = v.safeParse(v.pipe(v.string(), v.parseJson(), GuideHead), text);
    if (!head.success) return { findings: [{ fault: 'There are no guides, or of another version.', mend }] };
    const age = now() - Date.parse(head.output.cachedAt);
    if (age > DAY_MS)
      return {
        findings: [
          {
            fault: `The guides are ${ageOf(age)} old, and count as stale after 24 hours.`,
            mend: `${mend}   (once a day, by a scheduler)`,
          },
        ],
      };
    return { findings: [], well: `published ${ageOf(age)} ago` };
  },
};
