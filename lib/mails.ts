/**
 * Every mail of the service, in each language. A mail holds a link and no text that a user typed, so that nobody can send their own words
 * under the service's name.
 */
import type { Language } from './languages.ts';
import type { Mail } from './mail.ts';

type Text = Omit<Mail, 'to'>;

interface Mails {
  /** `url` lets its holder choose a new password, for one hour. */
  passwordReset: (url: string) => Text;
  /** `url` lets its holder join a project, for this many days. */
  invitation: (url: string, days: number) => Text;
}

const en: Mails = {
  passwordReset: (url) => ({
    subject: 'Reset your password',
    text: `Somebody asked for a new password for your account. To choose one, open this link within an hour:

${url}

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
  passwordReset: (url) => ({
    subject: 'Restablece tu contraseña',
    text: `Alguien ha pedido una contraseña nueva para tu cuenta. Para elegirla, abre este enlace en el plazo de una hora:

${url}

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
  passwordReset: (url) => ({
    subject: 'Redefinir a sua palavra-passe',
    text: `Alguém pediu uma palavra-passe nova para a sua conta. Para a escolher, abra esta ligação no prazo de uma hora:

${url}

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
