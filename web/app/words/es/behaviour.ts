import { plural } from '../plural.ts';

const many = plural('es');

export const behaviour: typeof import('../en/behaviour.ts').behaviour = {
  liveView: {
    text: 'Quién ha estado en los últimos 5 minutos. Se pregunta de nuevo cada 5 segundos mientras miras.',
    visitors: 'Visitantes',
    anonymous: 'Páginas vistas anónimas',
    anonymousText:
      'Páginas vistas de personas a las que no se distingue: no están en ningún número de visitantes.',
    page: 'Página',
    nobody: 'Nadie en este momento',
  },
  retention: {
    text: 'De quienes vinieron por primera vez en una semana: cuántos volvieron en semanas posteriores. Las últimas 13 semanas.',
    tier: 'Solo se puede reconocer después de un día a los visitantes que dieron su consentimiento, así que solo se cuentan ellos.',
    unfinished: 'La última cifra de cada fila es de una semana que no ha terminado.',
    week: 'Primera semana',
    visitors: 'Visitantes',
    after: (weeks) => `Semana +${weeks}`,
    cell: (share, count) => `${share} (${count})`,
    none: 'En estas semanas no vino por primera vez ningún visitante con consentimiento',
  },
  heatmap: {
    text: (zone) =>
      `Cuántas visitas empiezan en cada hora de la semana, de media entre todas esas horas del periodo. Horas de ${zone}.`,
    busiest: (weekday, hour) => `La hora en que empiezan más visitas: ${weekday}, ${hour}.`,
    cell: (hour, visits, hours) => `${hour}: ${visits} en ${hours} horas así`,
    visits: (count, shown) => many(count, shown, 'visita', 'visitas'),
  },
  funnels: {
    choose: 'Embudo',
    add: 'Añadir un embudo',
    none: 'Aún no hay embudos',
    noneText: 'Un embudo es el camino a un objetivo en pasos. Muestra dónde lo dejan las visitas.',
    name: 'Nombre',
    step: (number) => `Paso ${number}`,
    addStep: 'Añadir un paso',
    removeStep: (number) => `Quitar el paso ${number}`,
    visits: 'Visitas',
    share: 'Del primer paso',
    dropOff: (share) => `El ${share} lo dejó antes de este paso`,
    tier: 'No incluye los recuentos anónimos: nada une sus páginas vistas.',
    delete: '¿Eliminar el embudo?',
    deleteText: (name) =>
      `«${name}» desaparece. Lo recogido se conserva: un embudo nuevo lo vuelve a contar.`,
    seen: (visits) => `${visits} visitas en los últimos 90 días`,
    unseen: 'No se ha visto en los últimos 90 días',
  },
  journeys: {
    text: 'Las páginas de las visitas en su orden, 5 como máximo. El dibujo omite las visitas de una sola página y los recorridos poco frecuentes.',
    path: 'Páginas',
    visits: 'Visitas',
    journeys: 'Recorridos',
    click: 'Un clic en una página elige',
    start: 'dónde empiezan los recorridos',
    end: 'dónde terminan los recorridos',
    startsAt: (path) => `Empieza en ${path}`,
    endsAt: (path) => `Termina en ${path}`,
    remove: (shown) => `Quitar: ${shown}`,
    none: 'Ningún recorrido coincide',
  },
};
