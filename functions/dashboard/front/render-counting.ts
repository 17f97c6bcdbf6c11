import { html, raw } from 'hono/html';
import { pagePolicy } from '../../../lib/http/page-policy.ts';
import { TYPEFACE_LINK, TYPEFACE_RULE } from '../../../lib/http/typeface.ts';
import { COUNTING_HTML } from './counting-page.generated.ts';
import { TEXT_STYLE } from './front-style.ts';

/** docs/counting.md as a page, in English. Each reason to refuse an event has an anchor of its name: `#bot`. */
export async function renderCounting(): Promise<{ html: string; policy: string }> {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>How numbers are counted · Vendor</title>
<meta name="description" content="The rules that the reports follow, and why a number differs from that of another tool.">
<link rel="icon" href="data:,">
${TYPEFACE_LINK}
<style>${raw(TEXT_STYLE)}</style>
</head>
<body>
<header>
<a href="/"><strong>Vendor</strong></a>
<span>English</span>
</header>
<main>
<h1>How numbers are counted</h1>
${raw(COUNTING_HTML)}
</main>
</body>
</html>
`;
  return { html: String(await page), policy: await pagePolicy(TEXT_STYLE, [TYPEFACE_RULE]) };
}
