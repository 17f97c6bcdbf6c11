import type { Contracts } from '../../lib/http/contract.ts';

/** The browser script's routes for the OpenAPI document. */
export const routes = {
  getTracker: {
    tag: 'Tracker',
    auth: 'public',
    method: 'GET',
    path: '/tracker.js',
    summary: 'The browser script',
    description:
      'Put it on every page: `<script defer src=".../tracker.js" data-site="ID"></script>`. What a page asks for by attributes or ' +
      'consent it loads by itself, from `links.js`, `measure.js`, `association.js`, `guard.js` and `debug.js` beside it; `tracker-all.js` has most ' +
      'of it in one, and loads `vitals.js`, `association.js`, `guard.js` and `debug.js`. Snippets of Plausible and Umami name `compat.js`, which loads `tracker.js`; `links.js` then loads `peers.js`. Files: the query is ignored.',
    responses: {
      200: { description: 'The script, with a strong ETag.', contentType: 'text/javascript; charset=utf-8' },
      304: { description: 'The caller has it already.' },
    },
    limit: null,
    isFile: true,
  },
} as const satisfies Contracts;
