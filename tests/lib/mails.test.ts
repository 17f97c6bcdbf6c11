import { describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../lib/languages.ts';
import { MAILS } from '../../lib/mails.ts';

const RESET = 'https://vendor.example/reset-password#Qm4Zt8Kw2Xv6Rb1Ns5Lp9Hd3';
const CONFIRM = 'https://vendor.example/confirm-email#eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6ImEifQ.c2lnbmF0dXJl';
const JOIN = 'https://vendor.example/join#Zk3Vw8QyN1tRb6LxUo4HsDfJc7MgPa2EiXe9Bq5KvYI';

/** What a mail must say about its purpose and the lifetime of its link, and words of other languages that it must not have. */
const expected: Record<
  Language,
  { confirmation: RegExp[]; reset: RegExp[]; invitation: RegExp[]; never: RegExp }
> = {
  en: {
    confirmation: [/^Confirm your e-mail address$/, /within 24 hours/, /do nothing/],
    reset: [/^Reset your password$/, /an hour/, /do nothing/],
    invitation: [/^An invitation to a project$/, /within 7 days/, /do nothing/],
    never: /\p{Script=Latin}*[áéíóúñãõç]|enlace|ligação/iu,
  },
  es: {
    confirmation: [/^Confirma tu dirección de correo$/, /24 horas/, /no hagas nada/],
    reset: [/^Restablece tu contraseña$/, /una hora/, /no hagas nada/],
    invitation: [/^Invitación a un proyecto$/, /7 días/, /no hagas nada/],
    never: /\b(?:link|password|days)\b|[ãõç]|usted/iu,
  },
  'pt-PT': {
    confirmation: [/^Confirmar o seu endereço de correio$/, /24 horas/, /não faça nada/],
    reset: [/^Redefinir a sua palavra-passe$/, /uma hora/, /não faça nada/],
    invitation: [/^Convite para um projeto$/, /7 dias/, /não faça nada/],
    // Includes words of Brazilian Portuguese.
    never: /\b(?:link|password|days|senha|você|e-mail|usuário)\b|ñ/iu,
  },
};

const cases = LANGUAGES.flatMap((language) => {
  const { confirmation, passwordReset, invitation } = MAILS[language];
  const { confirmation: confirmed, reset, invitation: invited, never } = expected[language];
  return [
    { language, name: 'confirmation', url: CONFIRM, mail: confirmation(CONFIRM, 24), says: confirmed, never },
    { language, name: 'passwordReset', url: RESET, mail: passwordReset(RESET), says: reset, never },
    { language, name: 'invitation', url: JOIN, mail: invitation(JOIN, 7), says: invited, never },
  ];
});

describe.each(cases)(
  '$name in $language',
  ({ url, mail: { subject, text }, says: [title, ...rest], never }) => {
    test('says what it is, how long it lasts and what to do if it was not asked for', () => {
      expect(subject).toMatch(title as RegExp);
      for (const said of rest) expect(text).toMatch(said);
      expect(`${subject}\n${text.replace(url, '')}`).not.toMatch(never);
    });

    test('has its link once, on a line of its own, where mail programs find its end', () => {
      expect(text.split('\n').filter((line) => line.includes('://'))).toEqual([url]);
      expect(text).toMatch(/\.\n$/);
    });
  },
);

test('every mail is in every language, and no two are the same', () => {
  for (const language of LANGUAGES) expect(Object.keys(MAILS[language])).toEqual(Object.keys(MAILS.en));
  expect(cases).toHaveLength(LANGUAGES.length * Object.keys(MAILS.en).length);
  const seen = cases.flatMap(({ mail }) => [mail.subject, mail.text]);
  expect(new Set(seen).size).toBe(seen.length);
});
