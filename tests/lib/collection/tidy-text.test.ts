import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tidyText } from '../../../lib/collection/tidy-text.ts';

test('tidied text is well-formed, bounded and stays as it is', () => {
  expect(tidyText(' a\0\n b ', 10)).toBe('a  b');
  expect(tidyText('\ud800', 10)).toBe('\ufffd');
  expect(tidyText('\n', 10)).toBeUndefined();
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 2, max: 40 }), (raw, max) => {
      const tidy = tidyText(raw, max);
      expect(tidy?.length ?? 1).toBeLessThanOrEqual(max);
      expect(tidy?.isWellFormed() ?? true).toBe(true);
      expect(tidyText(tidy, max)).toBe(tidy);
    }),
  );
});
