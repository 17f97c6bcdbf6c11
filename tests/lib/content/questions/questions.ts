/**
 * A hundred plain questions that people and agents ask, with the entry that answers each best. They were written from what the content
 * says, before the search was tuned, and don't change with it. `held` questions are held back: nobody looks at them one by one while tuning.
 */
import type { Language } from '../../../../lib/languages.ts';

export interface Question {
  ask: string;
  /** The id that should come first, without its language; `service:` means any service. */
  first: string;
}

interface Questions {
  tuned: readonly Question[];
  held: readonly Question[];
}

const ABOUT = 'business:facts';
const ANY_SERVICE = 'service:';

const about = (...asked: string[]): Question[] => asked.map((ask) => ({ ask, first: ABOUT }));
const services = (...asked: string[]): Question[] => asked.map((ask) => ({ ask, first: ANY_SERVICE }));
const of = (first: string, ...asked: string[]): Question[] => asked.map((ask) => ({ ask, first }));

const en: Questions = {
  tuned: [
    ...about('prices', 'contact', 'what is your phone number?', 'where are you?', 'who are you?'),
    ...services('what do you offer?'),
    ...of('service:online-shop', 'web shop'),
    ...of('service:website-design', 'how much does a new website cost?'),
    ...of('service:accessibility-audit', 'can you check whether blind people can use our site?'),
    ...of('service:site-care', 'someone to keep our website updated'),
    ...of('service:training', 'courses for our editors'),
    ...of('case-study:conservas-almadraba', 'examples of shops that you have built'),
    ...of('case-study:rota-dos-moinhos', 'hiking maps that work offline'),
    ...of('guide:cookie-consent-without-dark-patterns', 'cookie banner'),
    ...of('guide:choosing-a-cms', 'which content management system should we pick?'),
    ...of('guide:image-weight-budget', 'our pictures are too heavy'),
    ...of('guide:measuring-without-tracking', 'visitor statistics without Google Analytics'),
    ...of('guide:web-glossary', 'meaning of technical terms'),
    ...of('product:glossa', 'tool to translate texts'),
    ...of('product:ficha', 'free accessibility statement'),
  ],
  held: [
    ...about('e-mail address', 'opening times', 'how do we pay you?', 'do you have an office in Spain?'),
    ...services('what services are there?'),
    ...of('service:online-shop', 'sell our products on the internet'),
    ...of('service:site-care', 'monthly maintenance price'),
    ...of('service:training', 'workshop for my colleagues'),
    ...of('service:content-strategy', 'help to decide what our pages should say'),
    ...of('case-study:museu-do-sal', 'museum tickets'),
    ...of('case-study:camara-de-vila-fria', 'online forms of a town hall'),
    ...of('product:âncora', 'backup plugin'),
    ...of('guide:moving-domain-without-losing-search', 'change our web address and stay in Google'),
    ...of('guide:caching-headers', 'browser cache'),
  ],
};

const es: Questions = {
  tuned: [
    ...about('precios', 'contacto', '¿cuál es vuestro teléfono?', '¿dónde estáis?', '¿quiénes sois?'),
    ...services('¿qué ofrecéis?'),
    ...of('service:online-shop', 'tienda en internet'),
    ...of('service:website-design', '¿cuánto cuesta una página web nueva?'),
    ...of('service:accessibility-audit', 'revisar si nuestra web es accesible'),
    ...of('service:site-care', 'alguien que cuide de nuestra web cada mes'),
    ...of('service:content-strategy', 'plan de contenidos'),
    ...of('case-study:museu-do-sal', 'trabajos para museos'),
    ...of('case-study:camara-de-vila-fria', 'formularios de un ayuntamiento'),
    ...of('case-study:rota-dos-moinhos', 'mapas para senderistas'),
    ...of('guide:cookie-consent-without-dark-patterns', 'aviso de cookies'),
    ...of('guide:choosing-a-cms', '¿qué CMS elegimos?'),
    ...of('guide:writing-for-the-web', 'escribir mejor para internet'),
    ...of('guide:measuring-without-tracking', 'estadísticas de visitas sin rastrear'),
    ...of('product:âncora', 'copia de seguridad de WordPress'),
    ...of('product:glossa', 'traducir textos'),
  ],
  held: [
    ...about('correo electrónico', 'horario de atención', 'formas de pago'),
    ...services('servicios'),
    ...of('service:online-shop', 'vender por internet'),
    ...of('service:website-design', 'diseño web'),
    ...of('service:accessibility-audit', 'informe de accesibilidad'),
    ...of('service:site-care', 'plan de mantenimiento mensual'),
    ...of('case-study:conservas-almadraba', 'conservas'),
    ...of('product:ficha', 'declaración de accesibilidad gratis'),
    ...of('product:maré', 'páginas lentas que pesan mucho'),
    ...of('guide:moving-domain-without-losing-search', 'cambio de dominio'),
    ...of('guide:prepare-your-content', '¿cómo preparar los textos antes de rehacer la web?'),
  ],
};

const pt: Questions = {
  tuned: [
    ...about('preços', 'contactos', 'número de telefone', 'onde ficam?', 'quem são vocês?'),
    ...services('que serviços têm?'),
    ...of('service:online-shop', 'loja na internet'),
    ...of('service:website-design', 'quanto custa fazer um site?'),
    ...of('service:accessibility-audit', 'o nosso site é acessível a cegos?'),
    ...of('service:site-care', 'avença mensal de manutenção'),
    ...of('service:training', 'cursos', 'formação em escrita'),
    ...of('case-study:conservas-almadraba', 'exemplos de lojas'),
    ...of('case-study:escola-oficina', 'trabalhos para escolas'),
    ...of('guide:cookie-consent-without-dark-patterns', 'banner de cookies'),
    ...of('guide:choosing-a-cms', 'que CMS escolher?'),
    ...of('guide:image-weight-budget', 'fotografias demasiado pesadas'),
    ...of('guide:acentuação-e-hifenização', 'acentos e hífenes'),
    ...of('guide:measuring-without-tracking', 'contar visitas sem seguir as pessoas'),
    ...of('guide:moving-domain-without-losing-search', 'mudar o endereço do site'),
  ],
  held: [
    ...about('e-mail', 'morada', 'horário de funcionamento', 'condições de pagamento'),
    ...services('o que oferecem?'),
    ...of('service:online-shop', 'vender online'),
    ...of('service:website-design', 'criação de sites'),
    ...of('service:content-strategy', 'estratégia para os textos do site'),
    ...of('case-study:museu-do-sal', 'bilhetes de museu'),
    ...of('case-study:camara-de-vila-fria', 'câmara municipal'),
    ...of('product:âncora', 'cópias de segurança'),
    ...of('guide:scripts-and-emoji', 'páginas em japonês ou em árabe'),
    ...of('guide:writing-for-the-web', 'escrever textos claros'),
  ],
};

export const QUESTIONS: Readonly<Record<Language, Questions>> = { en, es, 'pt-PT': pt };
