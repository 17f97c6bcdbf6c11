export const adding: typeof import('../en/adding.ts').adding = {
  adding: {
    name: 'Nombre',
    nameNote: 'Como tú lo llamas.',
    domain: 'Dominio',
    domainNote: 'Dónde están sus páginas, por ejemplo example.com. Los subdominios también cuentan.',
    jurisdiction: 'Dónde estás establecido',
    jurisdictionNote:
      'Con un país se pide consentimiento a los visitantes y antes de eso solo se los cuenta. Puedes cambiarlo después.',
    noJurisdiction: 'Ningún país: no se pregunta a nadie',
    timezone: 'Zona horaria',
    project: 'Proyecto',
    submit: 'Añadir el sitio web',
    noProject:
      'No eres propietario ni administrador de ningún proyecto, así que no puedes añadir un sitio web.',
  },
  install: {
    origins: 'Enlazar peticiones con trazas',
    originsText:
      'Los entornos del proyecto tienen estos orígenes de tus propias API. Con este atributo en la etiqueta del script, las páginas vistas con consentimiento dicen a qué trazas llevaron sus peticiones.',
    title: 'Pon el fragmento en tus páginas',
    kind: 'Cómo está hecho tu sitio web',
    kinds: {
      html: 'HTML',
      next: 'Next.js',
      nuxt: 'Nuxt',
      astro: 'Astro',
      spa: 'Vite, Vue, Angular, SvelteKit',
      wordpress: 'WordPress',
    },
    pasteAt: {
      html: 'En el head de todas las páginas:',
      next: 'En app/layout.tsx, en el head:',
      nuxt: 'En nuxt.config.ts:',
      astro: 'En la plantilla de todas las páginas, en el head:',
      spa: 'En el head de index.html (Angular: src/index.html, SvelteKit: src/app.html). Las vistas que cambian la dirección se cuentan solas:',
      wordpress: 'En functions.php de tu tema hijo, o con un complemento para código en el head:',
    },
    check: '¿Funciona?',
    waiting: 'Esperando la primera página vista. Abre una página de tu sitio web en otra pestaña.',
    first: 'Ha llegado tu primera visita',
    works: 'Funciona.',
    worksText: (time) => `El último evento llegó ${time}.`,
    toSite: 'Al resumen',
    refused: 'Llegó algo y fue rechazado',
    countOf: (count) => `${count} ×`,
    reasons: {
      bot: 'Un robot, o un navegador que maneja un programa. Abre la página tú mismo.',
      datacenter:
        'Desde un servidor alquilado. Una VPN o la red de una empresa puede salir por uno: prueba sin ella.',
      spam: 'Una página vista cuya referencia es conocida por spam.',
      invalid: 'Un evento que incumple una regla. La consola de la página dice cuál.',
      hostname:
        'Una página en un host que no es de los dominios de este sitio web. ¿Son correctos los dominios?',
      tier: 'Más de lo que aceptó el visitante. El resto se cuenta.',
      properties: 'Demasiadas propiedades. El evento se cuenta sin ellas.',
    },
    nothing: 'Si no llega nada',
    hints: {
      source: 'Mira el código fuente de la página: ¿está el fragmento y has publicado la página?',
      blocker: 'Desactiva los bloqueadores de tu navegador: algunos bloquean todo lo que cuenta.',
      gpc: 'Un navegador con Global Privacy Control nunca se cuenta, ni siquiera como rechazado.',
      csp: 'Una Content-Security-Policy de tu sitio web tiene que permitir script-src y connect-src de este servicio.',
      off: 'Según tu política no se recoge nada antes del consentimiento: acepta en tu página.',
      proxy: '¿Hay un proxy en medio? La dirección del fragmento tiene que responder en tu navegador.',
    },
  },
};
