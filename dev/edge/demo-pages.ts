/** The pages of the demo site. */
export interface DemoPage {
  path: string;
  title: string;
  /** Who wrote it: a property of its page views. */
  author?: string;
  /** HTML of the page's own content. */
  body: string;
}

const link = (path: string, text: string): string => `<a href="/demo${path}">${text}</a>`;

/** Elements and links of this page send events; see the attributes of the tracker's script in `demo-render.ts`. */
export const pages: DemoPage[] = [
  {
    path: '/demo',
    title: 'Six Strings',
    body: `<p>Strings, picks and good advice, from people who play.</p>
<ul>
  <li>${link('/strings', 'Strings')}</li>
  <li>${link('/picks', 'Picks')}</li>
  <li>${link('/journal/how-to-change-strings', 'Journal: how to change strings')}</li>
</ul>
<form id="newsletter" action="/demo/thanks">
  <label>News by mail: <input type="email" name="address" required placeholder="you@example.com"></label>
  <button>Subscribe</button>
</form>`,
  },
  {
    path: '/demo/strings',
    title: 'Strings',
    body: `<p>Nickel, bronze and nylon. Choose a gauge; the address changes and the page doesn't load again.</p>
<p>
  <button type="button" data-gauge="light">Light</button>
  <button type="button" data-gauge="medium">Medium</button>
</p>
<p id="gauge" role="status"></p>
<p><button type="button" data-vendor-event="Add to basket" data-vendor-prop-product="strings">Put a set in the basket</button>
  ${link('/checkout', 'Checkout')}</p>
<p><a href="/demo/string-gauges.csv">All gauges as a table</a></p>`,
  },
  {
    path: '/demo/picks',
    title: 'Picks',
    body: `<p>Thin ones for strumming, thick ones for jazz. ${link('/strings', 'Strings')} are over there.</p>
<p><button type="button" data-vendor-event="Add to basket" data-vendor-prop-product="picks">Put a dozen in the basket</button>
  ${link('/checkout', 'Checkout')}</p>`,
  },
  {
    path: '/demo/checkout',
    title: 'Checkout',
    body: `<p>A set of strings, 9.90 €.</p>
<p><button type="button" id="buy">Pay</button> <span id="bought" role="status"></span></p>`,
  },
  {
    path: '/demo/thanks',
    title: 'Thank you',
    body: '<p>That was all. What you wrote went nowhere: forms tell the tracker their name alone.</p>',
  },
  {
    path: '/demo/journal/how-to-change-strings',
    title: 'How to change strings',
    author: 'Inês Duarte',
    body: `<p>One at a time, so that the neck keeps its tension. Tune, stretch, tune again.</p>
<p>You will need ${link('/strings', 'a set of strings')}, and
<a href="https://en.wikipedia.org/wiki/Guitar_string">to know what they are made of</a>.</p>
${'<p>Wind downwards, two or three turns a string, and cut the rest.</p>\n'.repeat(12)}`,
  },
  {
    path: '/demo/about',
    title: 'About us',
    body: `<p>A shop that exists only so that you can watch its visitors.
<a href="/demo/private/notes">One page</a> of it they are not watched on.</p>`,
  },
  {
    path: '/demo/private/notes',
    title: 'Notes',
    body: '<p>The tracker leaves this page out, and sends nothing of it.</p>',
  },
];

/** The file that `/demo/strings` offers for download. */
export const GAUGES = {
  path: '/demo/string-gauges.csv',
  text: 'gauge,high E,low E\r\nlight,0.010,0.046\r\nmedium,0.011,0.049\r\n',
};
