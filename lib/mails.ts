/**
 * Every mail of the service, in each language. A mail holds a link and no text that a user typed, so that nobody can send their own words
 * under the service's name.
 */
import type { Language } from './languages.ts';
import type { Mail } from './mail.ts';

type Text = Omit<Mail, 'to'>;

interface Mails {
  /** `url` confirms the address of whoever is signed in, for this many hours. */
  confirmation: (url: string, hours: number) => Text;
  /** `url` lets its holder choose a new password, for one hour. */
  passwordReset: (url: string) => Text;
  /** `url` lets its holder join a project, for this many days. */
  invitation: (url: string, days: number) => Text;
}

const en: Mails = {
  confirmation: (url, hours) => ({
    subject: 'Confirm your e-mail address',
    text: `An account was made with this address. To confirm that it is yours, open this link within ${hours} hours:

${url}

If it wasn't you, do nothing: nobody can do anything with the account. To take it over, ask for a new password.
`,
  }),
  passwordReset: (url) => ({
    subject: 'Reset your password',
    text: `Somebody asked for a new password for your account. To choose one, open this link within an hour:

${url}

A new password signs you out everywhere and revokes all of your API keys and query tokens.

If it wasn't you, do nothing: your password stays as it is.
`,
  }),
  invitation: (url, days) => ({
    subject: 'An invitation to a project',
    text: `You are invited to a project. To see which one, and to join it, open this link within ${days} days:

${url}

If you expected no invitation, do nothing.
`,
  }),
};

const es: Mails = {
  confirmation: (url, hours) => ({
    subject: 'Confirma tu dirección de correo',
    text: `Se ha creado una cuenta con esta dirección. Para confirmar que es tuya, abre este enlace en el plazo de ${hours} horas:

${url}

Si no has sido tú, no hagas nada: nadie puede hacer nada con la cuenta. Para quedarte con ella, pide una contraseña nueva.
`,
  }),
  passwordReset: (url) => ({
    subject: 'Restablece tu contraseña',
    text: `Alguien ha pedido una contraseña nueva para tu cuenta. Para elegirla, abre este enlace en el plazo de una hora:

${url}

Con la contraseña nueva se cierran todas tus sesiones y se revocan todas tus claves de API y tus tokens de consulta.

Si no has sido tú, no hagas nada: tu contraseña sigue siendo la misma.
`,
  }),
  invitation: (url, days) => ({
    subject: 'Invitación a un proyecto',
    text: `Te han invitado a un proyecto. Para ver cuál es y unirte, abre este enlace en el plazo de ${days} días:

${url}

Si no esperabas ninguna invitación, no hagas nada.
`,
  }),
};

const pt: Mails = {
  confirmation: (url, hours) => ({
    subject: 'Confirmar o seu endereço de correio',
    text: `Foi criada uma conta com este endereço. Para confirmar que é seu, abra esta ligação no prazo de ${hours} horas:

${url}

Se não foi você, não faça nada: ninguém pode fazer nada com a conta. Para ficar com ela, peça uma palavra-passe nova.
`,
  }),
  passwordReset: (url) => ({
    subject: 'Redefinir a sua palavra-passe',
    text: `Alguém pediu uma palavra-passe nova para a sua conta. Para a escolher, abra esta ligação no prazo de uma hora:

${url}

A palavra-passe nova termina todas as suas sessões e revoga todas as suas chaves de API e os seus tokens de consulta.

Se não fez este pedido, não faça nada: a sua palavra-passe fica como está.
`,
  }),
  invitation: (url, days) => ({
    subject: 'Convite para um projeto',
    text: `Tem um convite para um projeto. Para ver qual é e aderir, abra esta ligação no prazo de ${days} dias:

${url}

Se não esperava nenhum convite, não faça nada.
`,
  }),
};

export const MAILS: Record<Language, Mails> = { en, es, 'pt-PT': pt };
