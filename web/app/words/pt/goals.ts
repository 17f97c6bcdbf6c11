export const goals: typeof import('../en/goals.ts').goals = {
  goals: {
    add: 'Adicionar um objetivo',
    name: 'Nome',
    conversions: 'Visitas',
    rate: 'Taxa',
    times: 'Vezes',
    revenue: 'Receita',
    delete: 'Eliminar o objetivo?',
    deleteText: (name) =>
      `«${name}» sai dos relatórios. O que foi recolhido fica: um novo objetivo volta a contá-lo.`,
    notReached: 'Não foi alcançado neste período',
    approximate: {
      anonymousCounts: 'Inclui contagens anónimas: uma pessoa pode contar uma vez por cada página.',
      continuations:
        'Alguns visitantes consentiram a meio de uma visita. Essa visita pode contar duas vezes.',
      serverEvents: 'Alguns eventos vieram do seu servidor e não pertencem a nenhuma visita.',
    },
  },
  targets: {
    label: 'Alcança-se com',
    event: 'Um evento',
    page: 'Uma página',
    eventName: 'Nome do evento',
    pagePattern: 'Caminho da página',
    patternNote: '/blog/* é mais uma parte, /blog/** é tudo o que está abaixo.',
    eventNote: 'Tal como a sua página ou o seu servidor o envia.',
    ofEvent: (name) => `Evento ${name}`,
    ofPage: (path) => `Página ${path}`,
  },
  events: {
    none: 'Nenhum evento neste período',
    noneText: "Uma página envia um evento com vendor.track('nome'); um servidor, com a API de eventos.",
    name: 'Evento',
    times: 'Vezes',
    revenue: 'Receita',
    open: (name) => `Propriedades de ${name}`,
    ofPages: 'Propriedades das visualizações de página',
    property: 'Propriedade',
    value: 'Valor',
    noProperties: 'Neste período este evento chegou sem propriedades.',
    unset: '(sem valor)',
  },
};
