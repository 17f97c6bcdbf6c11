import { html, raw } from 'hono/html';
import type { Language } from '../../lib/languages.ts';
import type { LinkUse } from '../../lib/messages/webhook-secrets.ts';

/** The pages' only style; the policy allows it by hash. */
export const STYLE = `
:root { color-scheme: light dark; --ground: #fbfaf6; --raised: #ffffff; --ink: #17262b; --soft: #4b5d63; --line: #d5dcd9; --accent: #0a5a6b; --on-accent: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0f1719; --raised: #182326; --ink: #e6edee; --soft: #a3b4b8; --line: #2c3a3e; --accent: #82d2df; --on-accent: #0a2a33; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1.0625rem/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: break-word; }
header { padding: 1rem clamp(1rem, 4vw, 2.5rem); font-size: .9375rem; }
main { width: 100%; max-width: 28rem; margin: clamp(0rem, 6vh, 4rem) auto 3rem; padding-inline: 1rem; }
section { padding: clamp(1.25rem, 5vw, 2rem); background: var(--raised); border: 1px solid var(--line); border-radius: .625rem; }
h1 { margin: 0 0 .75rem; font-size: 1.625rem; line-height: 1.2; font-weight: 650; letter-spacing: -.015em; text-wrap: balance; }
p { margin: 0 0 1rem; text-wrap: pretty; }
p:last-child { margin-bottom: 0; }
button { display: block; width: 100%; min-height: 2.75rem; padding: .5rem 1rem; border: 0; border-radius: .375rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 650; cursor: pointer; }
button:hover { text-decoration: underline; }
:focus-visible { outline: .1875rem solid var(--accent); outline-offset: .1875rem; }
`;

interface Texts {
  title: string;
  lead: (project: string) => string;
  button: string;
  doneTitle: string;
  done: (project: string) => string;
}

const WORDS: Record<Language, Record<LinkUse, Texts>> = {
  en: {
    confirm: {
      title: 'Get messages at this address?',
      lead: (project) =>
        `The project “${project}” wants to send you messages, such as alerts and reports. Each mail has a link that ends them.`,
      button: 'Yes, send me messages',
      doneTitle: 'Confirmed',
      done: (project) => `Messages of “${project}” come to your address from now on.`,
    },
    unsubscribe: {
      title: 'End these mails?',
      lead: (project) => `You get messages of the project “${project}” at this address.`,
      button: 'End the mails',
      doneTitle: 'The mails have ended',
      done: (project) => `Nothing more of “${project}” is sent to this address.`,
    },
    'unsubscribe-report': {
      title: 'End this report?',
      lead: (project) => `You get a report of the project “${project}” by mail. Other messages go on.`,
      button: 'End the report',
      doneTitle: 'The report has ended',
      done: () => 'This report is no longer sent to you.',
    },
  },
  es: {
    confirm: {
      title: '¿Recibir mensajes en esta dirección?',
      lead: (project) =>
        `El proyecto «${project}» quiere enviarte mensajes, como alertas e informes. Cada correo tiene un enlace para no recibir más.`,
      button: 'Sí, quiero recibirlos',
      doneTitle: 'Confirmado',
      done: (project) => `A partir de ahora recibes los mensajes de «${project}».`,
    },
    unsubscribe: {
      title: '¿No recibir más estos correos?',
      lead: (project) => `Recibes los mensajes del proyecto «${project}» en esta dirección.`,
      button: 'No recibir más correos',
      doneTitle: 'Ya no recibirás estos correos',
      done: (project) => `No se envía nada más de «${project}» a esta dirección.`,
    },
    'unsubscribe-report': {
      title: '¿No recibir más este informe?',
      lead: (project) =>
        `Recibes un informe del proyecto «${project}» por correo. Los demás mensajes siguen.`,
      button: 'No recibir más el informe',
      doneTitle: 'Ya no recibirás este informe',
      done: () => 'Este informe ya no se te envía.',
    },
  },
  'pt-PT': {
    confirm: {
      title: 'Receber mensagens neste endereço?',
      lead: (project) =>
        `O projeto «${project}» quer enviar-lhe mensagens, como alertas e relatórios. Cada correio tem uma ligação que os termina.`,
      button: 'Sim, quero recebê-las',
      doneTitle: 'Confirmado',
      done: (project) => `A partir de agora recebe as mensagens de «${project}».`,
    },
    unsubscribe: {
      title: 'Terminar estes correios?',
      lead: (project) => `Recebe as mensagens do projeto «${project}» neste endereço.`,
      button: 'Terminar os correios',
      doneTitle: 'Os correios terminaram',
      done: (project) => `Nada mais de «${project}» é enviado para este endereço.`,
    },
    'unsubscribe-report': {
      title: 'Terminar este relatório?',
      lead: (project) =>
        `Recebe por correio um relatório do projeto «${project}». As outras mensagens continuam.`,
      button: 'Terminar o relatório',
      doneTitle: 'O relatório terminou',
      done: () => 'Este relatório já não lhe é enviado.',
    },
  },
};

/** The page behind a mailed link: a button, or what was done. It works without a script. */
export function linkPage({
  use,
  language,
  projectName,
  isDone,
}: {
  use: LinkUse;
  language: Language;
  projectName: string;
  isDone: boolean;
}) {
  const words = WORDS[language][use];
  const title = isDone ? words.doneTitle : words.title;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Vendor</title>
<link rel="icon" href="data:,">
<style>${raw(STYLE)}</style>
</head>
<body>
<header><strong>Vendor</strong></header>
<main>
<section>
<h1>${title}</h1>
<p>${(isDone ? words.done : words.lead)(projectName)}</p>${
    isDone
      ? ''
      : html`
<form method="post"><button>${words.button}</button></form>`
  }
</section>
</main>
</body>
</html>
`;
}
