import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tidyText } from '../../../lib/collection/tidy-text.ts';

test('tidied text is well-formed, bounded and stays as it is', () => {
  expect(tidyText(' a\0\n b ', 10)).toBe('a  b');
  expect(tidyText('\ud800', 10)).toBe('\ufffd');
  expect(tidyText('\n', 10)).toBeUndefined();
  expect([tidyText(null, 10), tidyText(undefined, 10)]).toEqual([undefined, undefined]);
  expect([tidyText('a\u007f\u001fb', 10), tidyText('a\u0080b', 10)]).toEqual(['a b', 'a\u0080b']);
  expect([tidyText('abcd', 4), tidyText('abcde', 4), tidyText('abc de', 4)]).toEqual(['abcd', 'abcd', 'abc']);
  expect([tidyText('ab🎸', 4), tidyText('abc🎸', 4)]).toEqual(['ab🎸', 'abc']);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 2, max: 40 }), (raw, max) => {
      const tidy = tidyText(raw, max);
      expect(tidy?.length ?? 1).toBeLessThanOrEqual(max);
      expect(tidy?.isWellFormed() ?? true).toBe(true);
      expect(tidyText(tidy, max)).toBe(tidy);
    }),
  );
});
