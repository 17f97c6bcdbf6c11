import { describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../lib/languages.ts';
import { MAILS } from '../../lib/mails.ts';

const RESET = 'https://vendor.example/reset-password#Qm4Zt8Kw2Xv6Rb1Ns5Lp9Hd3';
const JOIN = 'https://vendor.example/join#Zk3Vw8QyN1tRb6LxUo4HsDfJc7MgPa2EiXe9Bq5KvYI';

/** What a mail must say of itself and of how long its link lasts, and what belongs to the other languages. */
const expected: Record<Language, { reset: RegExp[]; invitation: RegExp[]; never: RegExp }> = {
  en: {
    reset: [/^Reset your password$/, /an hour/, /do nothing/],
    invitation: [/^An invitation to a project$/, /within 7 days/, /do nothing/],
    never: /\p{Script=Latin}*[áéíóúñãõç]|enlace|ligação/iu,
  },
  es: {
    reset: [/^Restablece tu contraseña$/, /una hora/, /no hagas nada/],
    invitation: [/^Invitación a un proyecto$/, /7 días/, /no hagas nada/],
    never: /\b(?:link|password|days)\b|[ãõç]|usted/iu,
  },
  'pt-PT': {
    reset: [/^Redefinir a sua palavra-passe$/, /uma hora/, /não faça nada/],
    invitation: [/^Convite para um projeto$/, /7 dias/, /não faça nada/],
    // Portuguese of Brazil among them.
    never: /\b(?:link|password|days|senha|você|e-mail|usuário)\b|ñ/iu,
  },
};

const cases = LANGUAGES.flatMap((language) => {
  const { passwordReset, invitation } = MAILS[language];
  const { reset, invitation: invited, never } = expected[language];
  return [
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
