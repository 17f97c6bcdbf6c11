// Made by `npm run generate` from wrangler.toml: most specific first.
export const routes = [
  { path: '/api/v1/telemetry/projects', wildcard: true, binding: 'ACCOUNT' },
  { path: '/api/v1/projects', wildcard: true, binding: 'ACCOUNT' },
  { path: '/tracker-all.js', wildcard: true, binding: 'TRACK' },
  { path: '/api/v1/account', wildcard: true, binding: 'ACCOUNT' },
  { path: '/api/v1/policy', wildcard: true, binding: 'TRACK' },
  { path: '/api/v1/shares', wildcard: true, binding: 'ANALYTICS' },
  { path: '/api/v1/track', wildcard: true, binding: 'TRACK' },
  { path: '/api/v1/sites', wildcard: true, binding: 'SITES' },
  { path: '/tracker.js', wildcard: true, binding: 'TRACK' },
  { path: '/measure.js', wildcard: true, binding: 'TRACK' },
  { path: '/links.js', wildcard: true, binding: 'TRACK' },
  { path: '/api/auth', wildcard: true, binding: 'ACCOUNT' },
  { path: '/', wildcard: true, binding: 'DOCS' },
] as const;
