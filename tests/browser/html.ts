import { SITE_ID } from './browser-fixture.ts';

/** The pre-load snippet of the tracker's README, without its element. */
export const SNIPPET =
  'Object.hasOwn(window,"vendor")&&vendor?.track||(window.vendor={q:[],consent(...a){this.q.push(["consent",...a])},' +
  'track(...a){this.q.push(["track",...a])},page(...a){this.q.push(["page",...a])},visitorId(){}});';

interface Content {
  title?: string;
  /** Additional attributes of the tracker's element. */
  attributes?: string;
  /** Run before the tracker loads. */
  before?: string;
  body?: string;
  /** The origin of the script, if it isn't the page's own. */
  service?: string;
  /** The site's id at this service. */
  site?: string;
}

export const script = (attributes = '', service = '', site = SITE_ID): string =>
  `<script defer src="${service}/tracker.js" data-site="${site}" ${attributes}></script>`;

/** A page with the tracker on it. */
export function html({ title = 'Page', attributes, before, body = '', service, site }: Content = {}): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,"><title>${title}</title>
${before === undefined ? '' : `<script>${before}</script>`}
${script(attributes, service, site)}
</head><body><h1>${title}</h1>${body}</body></html>`;
}

/** A page without the tracker. */
export const BARE = '<!doctype html><link rel="icon" href="data:,"><title>Elsewhere</title>';
