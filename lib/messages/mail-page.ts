/** The HTML that all mails share: no remote content, light and dark, for 320 px and wider. */

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);

/** Readers of mail know few rules: colours stand in `style` of each element for those that know no sheet, and dark ones in the sheet. */
const SHEET = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
body{margin:0;padding:0}
@media (prefers-color-scheme:dark){
.back{background:#14161a!important}
.card{background:#1d2026!important;border-color:#343943!important}
.text,.text a{color:#eceef2!important}
.soft{color:#a9b0bd!important}
.line{border-color:#343943!important}
.up{color:#7fd69b!important}
.down{color:#ff9e94!important}
.text .button{background:#8ab4ff!important;color:#101216!important}
}
@media (max-width:420px){.card{padding:20px 16px!important}.back{padding:0!important}}
`;

export const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;";

/** `body` and `footer` are HTML. */
export const mailPage = ({
  language,
  title,
  body,
  footer,
}: {
  language: string;
  title: string;
  body: string;
  footer: string;
}): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${SHEET}</style>
</head>
<body class="back" style="margin:0;padding:0;background:#f2f3f5">
<table role="presentation" class="back" width="100%" cellpadding="0" cellspacing="0" style="background:#f2f3f5;padding:24px 8px">
<tr><td align="center">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;background:#ffffff;border:1px solid #dfe2e7;border-radius:8px;padding:28px 32px">
<tr><td class="text" style="${FONT}font-size:16px;line-height:1.5;color:#1b1f26">
${body}
</td></tr>
<tr><td class="soft" style="${FONT}font-size:13px;line-height:1.5;color:#5c6573;padding-top:24px">
${footer}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;

export const heading = (text: string): string =>
  `<h1 class="text" style="${FONT}font-size:20px;line-height:1.3;margin:0 0 16px;color:#1b1f26">${escapeHtml(text)}</h1>`;

export const paragraph = (text: string): string =>
  `<p style="margin:0 0 12px;overflow-wrap:anywhere">${escapeHtml(text)}</p>`;

export const button = (label: string, url: string): string =>
  `<p style="margin:20px 0 4px"><a class="button" href="${escapeHtml(url)}" style="${FONT}display:inline-block;background:#1f57c3;color:#ffffff;text-decoration:none;font-weight:600;padding:10px 18px;border-radius:6px">${escapeHtml(label)}</a></p>`;

export const footerLink = (label: string, url: string): string =>
  `<a class="soft" href="${escapeHtml(url)}" style="color:#5c6573">${escapeHtml(label)}</a>`;
