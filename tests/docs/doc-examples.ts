/** The fenced examples of README.md, docs/ and the tracker's README, and what runs each of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../tooling/deployment.ts';

export interface Example {
  /** `docs/events.md: curl https://…`: the file and the first line, by which tests name it. */
  name: string;
  file: string;
  /** From 1. */
  line: number;
  language: string;
  text: string;
  /** What a comment before it gives as the reason that no test runs it: `<!-- Not run: a drawing -->`. */
  notRun: string | undefined;
}

const FILES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  'packages/tracker/README.md',
];

const EXAMPLE = /^(?:<!-- Not run: (.+?) -->\n\n?)?```(\w*)\n(.*?)^```$/gms;

export const EXAMPLES: readonly Example[] = FILES.flatMap((file) => {
  const document = readFileSync(join(ROOT, file), 'utf8');
  return [...document.matchAll(EXAMPLE)].map(([, notRun, language = '', text = ''], index, all) => ({
    name: `${file}: ${text.split('\n')[0]}`,
    file,
    line: document.slice(0, all[index]?.index).split('\n').length,
    language,
    text,
    notRun,
  }));
});

/** How many fences a file has, to find examples that `EXAMPLES` misses. */
export const countFences = (file: string): number =>
  readFileSync(join(ROOT, file), 'utf8').match(/^\s*```/gm)?.length ?? 0;
export const EXAMPLE_FILES: readonly string[] = FILES;

/** The reasons not to run an example, and what such an example looks like. */
export const REASONS: Readonly<Record<string, (example: Example) => boolean>> = {
  'a drawing': ({ language }) => language === 'mermaid',
  'a measurement': ({ language, file }) => language === '' && file === 'docs/cost.md',
  'measures for minutes': ({ text }) => /^npm run bench/.test(text),
  'starts what tests start by themselves': ({ text }) =>
    /^npm ci && npm (?:run dev|test|start -- --demo)\n$/.test(text),
  'installs a service on a server': ({ text }) => /\bsystemctl (?:enable|reload) /.test(text),
  'needs an account at Cloudflare': ({ text }) =>
    /wrangler|workers\.dev|YOUR-ADDRESS|_HOST=stats\.example\.org|CLOUDFLARE_API_TOKEN/.test(text) ||
    /^npm run (?:setup|doctor|db:apply)\b/.test(text),
  'needs a Redis at Upstash': ({ text }) => text.includes('UPSTASH_REDIS_REST_URL=…'),
  'needs the program claude': ({ text }) => /^claude mcp add/.test(text),
  'needs a project at Neon': ({ text }) => /^neonctl /.test(text),
  'a tag of another tool': ({ text }) => text.includes('/compat.js'),
  'needs a bundler': ({ text }) => text.includes("from '@vendor/tracker'"),
  'changes a role of the whole database server': ({ text }) => /^alter role/.test(text),
  'commands of the operator on a live database': ({ text }) =>
    text
      .trim()
      .split('\n')
      .every((line) => /^npm run (?:quotas|dead-letters|backup|restore) -- /.test(line)),
  'is read by another program': ({ text, language }) =>
    ['toml', 'nginx', 'json', 'js'].includes(language) && /zone_name|proxy_pass|rewrites/.test(text),
};

/** Run by `documented-requests.service.test.ts`. */
export const BY_SERVICE = [
  'README.md: dev() { node -p "require(\'./.local/dev.json\').$1"; }',
  'README.md: api /api/v1/sites/$SITE/analytics/live | data',
  'README.md: {',
  "docs/accounts.md: curl -c jar -H 'Content-Type: application/json' http://127.0.0.1:8787/api/auth/sign-up \\",
  'docs/alerts.md: {',
  'docs/api.md: {',
  "docs/content.md: curl 'http://127.0.0.1:8788/api/agent/search?query=accesibility'      # one typing error is forgiven",
  "docs/errors.md: ask 'errors?state=unsolved&order=first-seen' | data '[0].title'",
  'docs/events.md: curl https://vendor.example/api/v1/sites/$SITE/events \\',
  'docs/events.md: {"data":{"accepted":1,"dropped":0}}',
  "docs/events.md: import { setTimeout as pause } from 'node:timers/promises';",
  "docs/import.md: export VENDOR_API_TOKEN='vapi_…'      # an API key with access `write`",
  'docs/local.md: curl -H \'X-Dev-Country: DE\' "http://127.0.0.1:8787/api/v1/policy?site=$(node -p "require(\'./.local/dev.json\').siteId")"',
  'docs/operations.md: curl -fsS -o /dev/null https://vendor.example/api/health',
  'docs/outcomes.md: curl -H "Authorization: Bearer $INGEST_KEY" -H \'Content-Type: application/json\' http://127.0.0.1:8787/api/v1/telemetry/outcomes \\',
  'docs/proxy.md: export default {',
  'docs/reports.md: curl -H "Authorization: Bearer $API_TOKEN" \\',
  'docs/reports.md: {',
  'docs/reports.md: { "path": "/pricing", "visitors": 93, "visits": 104, "pageviews": 131, "reach": 97,',
  'docs/reports.md: { "value": "mobile", "measured": 131, "lcp": 2893.2, "inp": 88.4, "cls": 0.0131, "fcp": 1104.6, "ttfb": 312.5,',
  'docs/sites.md: curl -X PATCH -H "Authorization: Bearer $API_TOKEN" -H \'Content-Type: application/json\' \\',
  'docs/sites.md: curl https://vendor.example/api/v1/sites/$SITE -X PATCH \\',
  'docs/sites.md: curl -X PATCH https://vendor.example/api/v1/sites/$SITE \\',
  "docs/telemetry.md: cat > .local/hello.mjs <<'END'",
  'docs/telemetry.md: curl -sS -o /dev/null -c .local/jar -H \'Content-Type: application/json\' "$(dev baseUrl)/api/auth/sign-in" \\',
  'docs/telemetry.md: [',
  'docs/tracker-protocol.md: {',
] as const;

/** Run by `tests/scripts/setup/setup-answers.test.ts`. */
export const BY_SETUP = ['docs/deploy.md: # answers.env'] as const;

/** Run by `documented-operations.database.test.ts`. */
export const BY_OPERATIONS = [
  'docs/operations.md: pg_dump --format=custom --no-owner --no-privileges --file=vendor.dump "$DATABASE_URL"',
  'docs/operations.md: pg_restore --no-owner --no-privileges --exit-on-error --dbname="$NEW_DATABASE_URL" vendor.dump',
  'docs/operations.md: npm run account -- remove-second-factor you@example.org',
  'docs/operations.md: psql "$DATABASE_URL" <<\'SQL\' # read only',
  'docs/operations.md: psql "$DATABASE_URL" <<\'SQL\' # as before',
  'docs/operations.md: npm run account -- delete you@example.org          # what would be deleted',
] as const;

/** Run by `documented-pages.browser.test.ts`. */
export const BY_BROWSER = [
  'docs/events.md: const visitorId = window.vendor?.visitorId?.(); // undefined below tier 3, and before the tier is known',
  'docs/proxy.md: <script defer src="/stats/s.js" data-site="SITE_ID"></script>',
  'packages/tracker/README.md: <script defer src="https://vendor.example/tracker.js" data-site="SITE_ID"></script>',
  'packages/tracker/README.md: <a href="/pricing" data-vendor-event="Pricing" data-vendor-prop-plan="pro">Prices</a>',
  "packages/tracker/README.md: vendor.consent('granted'); // or 'denied'; works on the same page, without reloading",
] as const;

/** Its snippet for calls before the tracker has loaded: tests/browser/html.ts has the same. */
export const SNIPPET_EXAMPLE = 'packages/tracker/README.md: <script>Object.hasOwn(window,"vendor")';

/** The text of an example. Throws if there is none of that name, or several. */
export function textOf(
  name: (typeof BY_SERVICE | typeof BY_SETUP | typeof BY_OPERATIONS | typeof BY_BROWSER)[number],
): string {
  const [found, ...more] = EXAMPLES.filter((example) => example.name === name);
  if (found === undefined || more.length > 0) throw new Error(`There must be one example ${name}`);
  return found.text;
}
