import type { DemoPage } from './demo-pages.ts';

/** All options of the tracker except manual mode and hash routes, which would need a different site. */
const OPTIONS = 'data-outbound data-downloads data-forms data-exclude="/demo/private/*"';

/** A complete page with the tracker of `siteId`, the consent banner and the navigation. */
export function renderPage(page: DemoPage | undefined, siteId: string | undefined): string {
  const title = page?.title ?? 'Nothing here';
  const props = page?.author === undefined ? '' : ` data-prop-author="${page.author}"`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} · Six Strings</title>
<link rel="icon" href="data:,">
${siteId === undefined ? '' : `<script defer src="/tracker.js" data-site="${siteId}" ${OPTIONS}${props}></script>`}
<style>
  body { font: 1rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 0 auto; padding: 1rem 1rem 7rem; }
  nav a { margin-right: 1rem; }
  #banner { position: fixed; inset: auto 0 0; padding: 1rem; background: #222; color: #fff; }
</style>
</head>
<body>
<nav><a href="/demo">Six Strings</a><a href="/demo/strings">Strings</a><a href="/demo/picks">Picks</a><a href="/demo/about">About</a></nav>
<main><h1>${title}</h1>
${page?.body ?? '<p>No such page. The tracker saw you look for it.</p>'}
</main>
<aside id="banner">
  May we recognise you when you come back?
  <button type="button" data-consent="granted">Yes</button>
  <button type="button" data-consent="denied">No</button>
</aside>
<script type="module">${SCRIPT}</script>
</body>
</html>
`;
}

/**
 * Queues calls made before the tracker is loaded, like the snippet. A module, since a `vendor` variable in a classic script would hide
 * the tracker's own from the console.
 */
const SCRIPT = `
const vendor = () => (window.vendor ??= Object.assign(
  Object.fromEntries(['consent', 'track', 'page'].map((name) => [name, (...args) => window.vendor.q.push([name, ...args])])),
  { q: [] },
));
const banner = document.getElementById('banner');
for (const button of document.querySelectorAll('[data-consent]')) {
  button.addEventListener('click', () => {
    vendor().consent(button.dataset.consent);
    banner.hidden = true;
  });
}
for (const button of document.querySelectorAll('[data-gauge]')) {
  button.addEventListener('click', () => {
    history.pushState({}, '', '/demo/strings/' + button.dataset.gauge);
    document.getElementById('gauge').textContent = 'Gauge: ' + button.dataset.gauge;
  });
}
document.getElementById('buy')?.addEventListener('click', () => {
  vendor().track('purchase', { product: 'strings' }, { amount: '9.90', currency: 'EUR' });
  document.getElementById('bought').textContent = 'Thank you.';
});
`;
