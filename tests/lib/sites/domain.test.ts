import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normaliseDomain } from '../../../lib/sites/domain.ts';

test.each([
  ['example.com', 'example.com'],
  ['Example.COM', 'example.com'],
  ['example.com.', 'example.com'],
  ['www.shop.example.co.uk', 'www.shop.example.co.uk'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['BÜCHER.example', 'xn--bcher-kva.example'],
  ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['日本語。jp', 'xn--wgv71a119e.jp'],
  ['my_site.example.com', 'my_site.example.com'],
  ['localhost', 'localhost'],
  ['LOCALHOST', 'localhost'],
  ['127.0.0.1', '127.0.0.1'],
  ['192.168.10.20', '192.168.10.20'],
  [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
])('%s is stored as %s', (input, stored) => {
  expect(normaliseDomain(input)).toBe(stored);
});

test.each([
  ['nothing', ''],
  ['a dot', '.'],
  ['a scheme', 'https://example.com'],
  ['a scheme without slashes', 'mailto:example.com'],
  ['a path', 'example.com/'],
  ['a path after a backslash', 'example.com\\x'],
  ['a port', 'example.com:443'],
  ['a port of localhost', 'localhost:8787'],
  ['user-info', 'user@example.com'],
  ['a query', 'example.com?x'],
  ['a fragment', 'example.com#x'],
  ['a space', 'exa mple.com'],
  ['space around', ' example.com'],
  ['a tab that a URL drops', 'exam\tple.com'],
  ['a line end', 'example.com\n'],
  ['NUL', 'example\0.com'],
  ['a percent code', 'ex%61mple.com'],
  ['a wildcard', '*.example.com'],
  ['one label', 'intranet'],
  ['an empty label', 'example..com'],
  ['two final dots', 'example.com..'],
  ['a label that begins with a dash', '-a.example'],
  ['a label that ends with a dash', 'a-.example'],
  ['a label of 64', `${'a'.repeat(64)}.example`],
  ['254 characters', `${'a.'.repeat(123)}examples`],
  ['a short IPv4 address', '127.1'],
  ['a hexadecimal IPv4 address', '0x7f.0.0.1'],
  ['an IPv4 address as a number', '2130706433'],
  ['an octal IPv4 address', '127.0.0.01'],
  ['an IPv4 address out of range', '256.0.0.1'],
  ['an IPv6 address', '[::1]'],
  ['a bare IPv6 address', '::1'],
  ['SQL', "example.com'; drop table sites; --"],
  ['markup', '"><script>.example'],
])('%s is refused', (_, input) => {
  expect(normaliseDomain(input)).toBeUndefined();
});

test('what is stored is plain ASCII, is stored as itself, and is the host of its own URL', () => {
  const label = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
  const input = fc.oneof(
    fc.string(),
    fc.domain(),
    fc.array(label, { minLength: 1, maxLength: 4 }).map((l) => l.join('.')),
  );
  fc.assert(
    fc.property(input, (text) => {
      const stored = normaliseDomain(text);
      if (stored === undefined) return;
      expect(stored).toMatch(/^[a-z0-9._-]{1,253}$/);
      expect(normaliseDomain(stored)).toBe(stored);
      expect(new URL(`https://${stored}/`).host).toBe(stored);
    }),
    { numRuns: 5000 },
  );
});
