import { expect, test } from 'vitest';
import { languageTag } from '../../../lib/collection/language-tag.ts';

test.each([
  ['en-US', 'en-US'],
  ['en-us', 'en-US'],
  ['en-US@posix', 'en-US'],
  ['pt', 'pt'],
  ['zh-Hans-CN', 'zh-Hans-CN'],
  ['', undefined],
  [undefined, undefined],
  ['C', undefined],
  ["'; drop table events; --", undefined],
])('language %s is %s', (raw, tag) => expect(languageTag(raw)).toBe(tag));
