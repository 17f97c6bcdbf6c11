import { expect, test } from 'vitest';
import { IMPORTED_DIMENSIONS } from '../../../lib/visits/imported-data.ts';

test('an import has every dimension but the operating system, and pages and events', () => {
  expect([...IMPORTED_DIMENSIONS].sort()).toEqual(
    [
      ...[
        'hostname',
        'source',
        'channel',
        'utm_source',
        'utm_medium',
        'utm_campaign',
        'utm_term',
        'utm_content',
      ],
      ...['country', 'region', 'city', 'device', 'browser', 'language'],
      ...['page', 'entry_page', 'exit_page', 'event'],
    ].sort(),
  );
});
