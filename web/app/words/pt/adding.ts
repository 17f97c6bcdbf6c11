import type { Words } from '../en/index.ts';

export const adding: Pick<Words, keyof typeof import('../en/adding.ts').adding> = {
  adding: {
    name: 'Nome',
    nameNote: 'Como lhe chama.',
    domain: 'Domínio',
    domainNote: 'Onde estão as páginas, por exemplo example.com. Os subdomínios também contam.',
    jurisdiction: 'Onde está estabelecido',
    jurisdictionNote:
      'Com um país, pede-se consentimento aos visitantes e antes disso são apenas contados. Pode alterá-lo depois.',
    noJurisdiction: 'Nenhum país: não se pergunta a ninguém',
    timezone: 'Fuso horário',
    project: 'Projeto',
    submit: 'Adicionar o sítio web',
    noProject:
      'Não é proprietário nem administrador de nenhum projeto, por isso não pode adicionar um sítio web.',
  },
  install: {
    title: 'Ponha o fragmento nas suas páginas',
    kind: 'Como é feito o seu sítio web',
    kinds: {
      html: 'HTML',
      next: 'Next.js',
      nuxt: 'Nuxt',
      astro: 'Astro',
      spa: 'Vite, Vue, Angular, SvelteKit',
      wordpress: 'WordPress',
    },
    places: {
      html: 'No head de todas as páginas:',
      next: 'Em app/layout.tsx, no head:',
      nuxt: 'Em nuxt.config.ts:',
      astro: 'No modelo de todas as páginas, no head:',
      spa: 'No head de index.html (Angular: src/index.html, SvelteKit: src/app.html). As vistas que mudam o endereço são contadas sem mais nada:',
      wordpress: 'Em functions.php do seu tema filho, ou com um plugin para código no head:',
    },
    check: 'Funciona?',
    waiting: 'À espera da primeira página vista. Abra uma página do seu sítio web noutro separador.',
    works: 'Funciona.',
    worksText: (time) => `O último evento chegou ${time}.`,
    toSite: 'Para o resumo',
    refused: 'Chegou algo e foi recusado',
    countOf: (count) => `${count} ×`,
    reasons: {
      bot: 'Um robô, ou um navegador conduzido por um programa. Abra a página você mesmo.',
      datacenter: 'De um servidor alugado. Uma VPN ou a rede de uma empresa pode sair por um: tente sem ela.',
      spam: 'Uma página vista cuja referência é conhecida por spam.',
      invalid: 'Um evento que infringe uma regra. A consola da página diz qual.',
      hostname: 'Uma página noutro anfitrião que não o domínio deste sítio web. O domínio está certo?',
      tier: 'Mais do que o visitante aceitou. O resto é contado.',
      properties: 'Demasiadas propriedades. O evento é contado sem elas.',
    },
    nothing: 'Se não chegar nada',
    hints: {
      source: 'Veja o código-fonte da página: o fragmento está lá, e publicou a página?',
      blocker: 'Desligue os bloqueadores do navegador: alguns bloqueiam tudo o que conta.',
      gpc: 'Um navegador com Global Privacy Control nunca é contado, nem sequer como recusado.',
      csp: 'Uma Content-Security-Policy do seu sítio web tem de permitir script-src e connect-src deste serviço.',
      off: 'Segundo a sua política nada é recolhido antes do consentimento: aceite na sua página.',
      proxy: 'Há um proxy pelo meio? O endereço no fragmento tem de responder no seu navegador.',
    },
  },
};
