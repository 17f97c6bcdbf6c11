/** The shop's pages. All values that come from the database or the environment are escaped. */

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text) => String(text).replace(/[&<>"]/g, (letter) => ESCAPES[letter]);

const page = (tracker, title, body) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark">
    <link rel="icon" href="data:,">
    <title>${escapeHtml(title)}</title>
    <script defer src="${escapeHtml(tracker.script)}" data-site="${escapeHtml(tracker.site)}"
      data-origins="${escapeHtml(tracker.origin)}"></script>
    <style>body { font: 1rem/1.5 system-ui; max-width: 40rem; margin: 2rem auto; padding: 0 1rem }</style>
  </head>
  <body>
    <h1>${escapeHtml(title)}</h1>
    ${body}
  </body>
</html>`;

export const homePage = (tracker, items) =>
  page(
    tracker,
    'The music shop',
    `<ul>${items
      .map(
        ({ id, name, price }) =>
          `<li><a href="/items/${id}">${escapeHtml(name)}</a>, ${escapeHtml(price)} €</li>`,
      )
      .join('')}</ul>`,
  );

export const itemPage = (tracker, { id, name, price }) =>
  page(
    tracker,
    name,
    `<p>${escapeHtml(price)} €</p>
    <button type="button">Buy</button>
    <p role="status"></p>
    <p><a href="/">All items</a></p>
    <script>
      const say = (text) => { document.querySelector('[role=status]').textContent = text };
      document.querySelector('button').onclick = async () => {
        try {
          const response = await fetch('/orders', {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({ item: ${Number(id)} }),
          });
          const { order, error } = await response.json();
          say(response.ok ? 'Thank you. Your order is number ' + order + '.' : error);
        } catch {
          say('The order did not arrive. Try again.');
        }
      };
    </script>`,
  );

export const missingPage = (tracker) =>
  page(tracker, 'There is no such item', '<p><a href="/">All items</a></p>');
