import type { Language } from '../../../lib/languages.ts';

interface FrontWords {
  title: string;
  lead: string;
  /** What the service does: a heading and a sentence each. */
  points: readonly (readonly [string, string])[];
  signIn: string;
  signUp: string;
  api: string;
  /** The page is in English alone. */
  counting: string;
  languages: string;
}

export const FRONT_WORDS: Record<Language, FrontWords> = {
  en: {
    title: 'Honest web analytics, beside what your backend did',
    lead: 'Visits counted in four privacy tiers, traces and logs by plain OpenTelemetry, and confirmed outcomes beside the visits that caused them.',
    points: [
      ['Honest numbers', 'Each figure says how it was counted, and whom it leaves out.'],
      [
        'Privacy by country',
        'From anonymous counts to consented analytics. The server decides, and keeps no address.',
      ],
      ['One place', 'See what is slow, what fails, and what it earned.'],
    ],
    signIn: 'Sign in',
    signUp: 'Create an account',
    api: 'The API',
    counting: 'How numbers are counted',
    languages: 'Language',
  },
  es: {
    title: 'Analítica web honesta, junto a lo que hizo tu servidor',
    lead: 'Visitas contadas en cuatro niveles de privacidad, trazas y registros con OpenTelemetry, y resultados confirmados junto a las visitas que los causaron.',
    points: [
      ['Números honestos', 'Cada cifra dice cómo se contó y a quién deja fuera.'],
      [
        'Privacidad por país',
        'De recuentos anónimos a analítica con consentimiento. Decide el servidor, y no guarda direcciones.',
      ],
      ['Un solo lugar', 'Mira qué es lento, qué falla y cuánto ingresó.'],
    ],
    signIn: 'Iniciar sesión',
    signUp: 'Crear una cuenta',
    api: 'La API',
    counting: 'Cómo se cuentan los números (en inglés)',
    languages: 'Idioma',
  },
  'pt-PT': {
    title: 'Análise web honesta, ao lado do que o seu servidor fez',
    lead: 'Visitas contadas em quatro níveis de privacidade, rastos e registos com OpenTelemetry, e resultados confirmados ao lado das visitas que os causaram.',
    points: [
      ['Números honestos', 'Cada número diz como foi contado e quem deixa de fora.'],
      [
        'Privacidade por país',
        'De contagens anónimas a análise com consentimento. Decide o servidor, que não guarda endereços.',
      ],
      ['Um só lugar', 'Veja o que é lento, o que falha e quanto rendeu.'],
    ],
    signIn: 'Iniciar sessão',
    signUp: 'Criar uma conta',
    api: 'A API',
    counting: 'Como se contam os números (em inglês)',
    languages: 'Idioma',
  },
};
