/** Channels come from the API by English names; other languages have their own. */
import { expect, test } from 'vitest';
import { CHANNELS } from '../../lib/collection/channels.ts';
import { site as spanish } from '../../web/app/words/es/site.ts';
import { site as portuguese } from '../../web/app/words/pt/site.ts';

test.each([spanish, portuguese])('each channel has a name', ({ values }) => {
  expect(Object.keys(values.channels).sort()).toEqual([...CHANNELS].sort());
});
