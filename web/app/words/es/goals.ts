export const goals: typeof import('../en/goals.ts').goals = {
  goals: {
    add: 'Añadir un objetivo',
    name: 'Nombre',
    conversions: 'Visitas',
    rate: 'Tasa',
    times: 'Veces',
    revenue: 'Ingresos',
    delete: '¿Eliminar el objetivo?',
    deleteText: (name) =>
      `«${name}» desaparece de los informes. Lo recogido se conserva: un objetivo nuevo lo vuelve a contar.`,
    notReached: 'No se alcanzó en este periodo',
    approximate: {
      anonymousCounts: 'Incluye recuentos anónimos: una persona puede contar una vez por cada página.',
      continuations:
        'Algunos visitantes dieron su consentimiento a mitad de una visita. Puede contar dos veces.',
      serverEvents: 'Algunos eventos vinieron de tu servidor y no pertenecen a ninguna visita.',
    },
  },
  targets: {
    label: 'Se alcanza con',
    event: 'Un evento',
    page: 'Una página',
    eventName: 'Nombre del evento',
    pagePattern: 'Ruta de la página',
    patternNote: '/blog/* es una parte más, /blog/** es todo lo que hay debajo.',
    eventNote: 'Tal como lo envía tu página o tu servidor.',
    ofEvent: (name) => `Evento ${name}`,
    ofPage: (path) => `Página ${path}`,
  },
  events: {
    none: 'Ningún evento en este periodo',
    noneText: "Una página envía un evento con vendor.track('nombre'); un servidor, con la API de eventos.",
    name: 'Evento',
    times: 'Veces',
    revenue: 'Ingresos',
    open: (name) => `Propiedades de ${name}`,
    ofPages: 'Propiedades de las páginas vistas',
    property: 'Propiedad',
    value: 'Valor',
    noProperties: 'En este periodo este evento llegó sin propiedades.',
    unset: '(sin valor)',
  },
};
