import { expect, test } from 'vitest';
import { findBinding } from '../../../functions/gateway/find-binding.ts';

test.each([
  ['/api/v1/policy', 'TRACK'],
  ['/api/v1/track', 'TRACK'],
  ['/tracker.js', 'SCRIPT'],
  ['/tracker-all.js', 'SCRIPT'],
  ['/links.js', 'SCRIPT'],
  ['/measure.js', 'SCRIPT'],
  ['/association.js', 'SCRIPT'],
  ['/compat.js', 'SCRIPT'],
  ['/peers.js', 'SCRIPT'],
  ['/guard.js', 'SCRIPT'],
  ['/debug.js', 'SCRIPT'],
  ['/vitals.js', 'SCRIPT'],
  ['/api/v1/sites', 'SITES'],
  ['/api/v1/sites/1/analytics/overview', 'SITES'],
  ['/api/v1/sites/1/shares', 'SITES'],
  ['/api/v1/shares/1/analytics/overview', 'ANALYTICS'],
  ['/api/openapi.json', 'DOCS'],
  ['/', 'DASHBOARD'],
  ['/sites/1', 'DASHBOARD'],
  ['/app/main-AAAAAAAA.js', 'DASHBOARD'],
  ['/api/v1/unknown', 'DOCS'],
  // No public route has an internal path, so these go to the catch-all.
  ['/internal/sites/1/policy', 'DASHBOARD'],
  ['//internal/sites/1/policy', 'DASHBOARD'],
])('%s goes to %s', (path, binding) => {
  expect(findBinding(path)).toBe(binding);
});
