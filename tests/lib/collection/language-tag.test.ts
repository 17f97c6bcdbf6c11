import { expect, test } from 'vitest';
import { languageTag } from '../../../lib/collection/language-tag.ts';

test.each([
  ['en-US', 'en-US'],
  ['en-us', 'en-US'],
  ['en-US@posix', 'en-US'],
  ['pt', 'pt'],
  ['de_DE.UTF-8', undefined],
  ['de-DE.UTF-8', 'de-DE'],
  ['@posix', undefined],
  // 35 characters, and 36.
  ['en-abcdef-abcdefg-abcdefgh-bcdefghi', 'en-abcdef-abcdefg-abcdefgh-bcdefghi'],
  ['en-abcdefg-abcdefgh-bcdefgh-bcdefghi', undefined],
  ['zh-Hans-CN', 'zh-Hans-CN'],
  ['', undefined],
  [undefined, undefined],
  ['C', undefined],
  ["'; drop table events; --", undefined],
])('language %s is %s', (raw, tag) => expect(languageTag(raw)).toBe(tag));
