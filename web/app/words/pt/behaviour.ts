import { plural } from '../plural.ts';

const many = plural('pt-PT');

export const behaviour: typeof import('../en/behaviour.ts').behaviour = {
  liveView: {
    text: 'Quem esteve nos últimos 5 minutos. Pergunta-se de novo a cada 5 segundos enquanto está a ver.',
    visitors: 'Visitantes',
    anonymous: 'Páginas vistas anónimas',
    anonymousText:
      'Páginas vistas de pessoas que não se distinguem: não estão em nenhum número de visitantes.',
    page: 'Página',
    nobody: 'Ninguém neste momento',
  },
  retention: {
    text: 'De quem veio pela primeira vez numa semana: quantos voltaram em semanas posteriores. As últimas 13 semanas.',
    tier: 'Só os visitantes que consentiram podem ser reconhecidos depois de um dia, por isso só eles são contados.',
    unfinished: 'O último número de cada linha é de uma semana que ainda não terminou.',
    week: 'Primeira semana',
    visitors: 'Visitantes',
    after: (weeks) => `Semana +${weeks}`,
    cell: (share, count) => `${share} (${count})`,
    none: 'Nestas semanas não veio pela primeira vez nenhum visitante com consentimento',
  },
  heatmap: {
    text: (zone) =>
      `Quantas visitas começam em cada hora da semana, em média de todas essas horas do período. Horas de ${zone}.`,
    busiest: (weekday, hour) => `A hora em que começam mais visitas: ${weekday}, ${hour}.`,
    cell: (hour, visits, hours) => `${hour}: ${visits} em ${hours} horas destas`,
    visits: (count, shown) => many(count, shown, 'visita', 'visitas'),
  },
  funnels: {
    choose: 'Funil',
    add: 'Adicionar um funil',
    none: 'Ainda não há funis',
    noneText: 'Um funil é o caminho para um objetivo em passos. Mostra onde as visitas o deixam.',
    name: 'Nome',
    step: (number) => `Passo ${number}`,
    addStep: 'Adicionar um passo',
    removeStep: (number) => `Remover o passo ${number}`,
    visits: 'Visitas',
    share: 'Do primeiro passo',
    dropOff: (share) => `${share} saiu antes deste passo`,
    tier: 'Não inclui as contagens anónimas: nada une as suas páginas vistas.',
    delete: 'Eliminar o funil?',
    deleteText: (name) => `«${name}» desaparece. O que foi recolhido fica: um novo funil volta a contá-lo.`,
    seen: (visits) => `${visits} visitas nos últimos 90 dias`,
    unseen: 'Não foi visto nos últimos 90 dias',
  },
  journeys: {
    text: 'As páginas das visitas pela sua ordem, 5 no máximo. O desenho omite as visitas de uma só página e os percursos raros.',
    path: 'Páginas',
    visits: 'Visitas',
    journeys: 'Percursos',
    click: 'Um clique numa página escolhe',
    start: 'onde os percursos começam',
    end: 'onde os percursos acabam',
    startsAt: (path) => `Começa em ${path}`,
    endsAt: (path) => `Acaba em ${path}`,
    remove: (shown) => `Remover: ${shown}`,
    none: 'Nenhum percurso corresponde',
  },
};
