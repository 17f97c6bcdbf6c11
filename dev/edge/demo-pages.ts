/** What stands on the demo site. */
export interface DemoPage {
  path: string;
  title: string;
  /** HTML of the page's own part. */
  body: string;
}

const link = (path: string, text: string): string => `<a href="/demo${path}">${text}</a>`;

export const pages: DemoPage[] = [
  {
    path: '/demo',
    title: 'Six Strings',
    body: `<p>Strings, picks and good advice, from people who play.</p>
<ul>
  <li>${link('/strings', 'Strings')}</li>
  <li>${link('/picks', 'Picks')}</li>
  <li>${link('/journal/how-to-change-strings', 'Journal: how to change strings')}</li>
</ul>`,
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
<p><button type="button" id="buy">Put a set in the basket</button> <span id="bought" role="status"></span></p>`,
  },
  {
    path: '/demo/picks',
    title: 'Picks',
    body: `<p>Thin ones for strumming, thick ones for jazz. ${link('/strings', 'Strings')} are over there.</p>`,
  },
  {
    path: '/demo/journal/how-to-change-strings',
    title: 'How to change strings',
    body: `<p>One at a time, so that the neck keeps its tension. Tune, stretch, tune again.</p>
<p>You will need ${link('/strings', 'a set of strings')}.</p>
${'<p>Wind downwards, two or three turns a string, and cut the rest.</p>\n'.repeat(12)}`,
  },
  {
    path: '/demo/about',
    title: 'About us',
    body: '<p>A shop that exists only so that you can watch its visitors.</p>',
  },
];
