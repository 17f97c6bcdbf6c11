import { BROWSER_STORAGE, IGNORE_KEY, RAW_HOURS, SALT_HOURS } from './facts.ts';
import type { Wording } from './wording.ts';

const [{ key, days }] = BROWSER_STORAGE;
const territories =
  'el Espacio Económico Europeo, el Reino Unido, Gibraltar, las Islas del Canal, la Isla de Man o Suiza';
const months = (n: number) => (n === 1 ? 'un mes' : `${n} meses`);

export const spanish: Wording = {
  heading: 'Estadísticas de uso de este sitio web',
  intro: (domain) =>
    `Medimos el uso de ${domain} para saber qué páginas se leen, cómo se llega a ellas y qué no funciona bien. Las cifras se ` +
    'refieren solo a este sitio: las visitas no se relacionan con las de otros sitios y nada de ello se usa para publicidad. ' +
    'Cuánto se recoge depende de lo que usted elija y de lo que pida su navegador.',
  tiers: {
    0: {
      name: 'Nada',
      why: 'No se guarda nada sobre usted ni sobre su visita. Como mucho se cuenta que algo se rechazó y por qué; con Global Privacy Control, ni siquiera eso.',
    },
    1: {
      name: 'Recuento anónimo',
      why: 'Nada de lo que se guarda distingue a un visitante de otro, de modo que no puede conducir a ninguna persona.',
    },
    2: {
      name: 'Sesiones anónimas',
      why:
        'Las visitas de un mismo día se agrupan mediante un código que se calcula a partir de la dirección IP y del nombre del ' +
        'navegador con una clave aleatoria. Mientras la clave existe, el código podría volver a calcularse; hasta entonces es, ' +
        `por tanto, un dato personal. La clave se borra pasada la medianoche (UTC) y, a más tardar, ${SALT_HOURS} horas después del comienzo de ` +
        'su día. A partir de ahí nadie puede saber de quién era el código ni relacionarlo con otro día.',
    },
    3: {
      name: 'Análisis con consentimiento',
      why: `Un identificador aleatorio en su navegador indica, durante ${days} días como máximo, que varias visitas proceden del mismo navegador. Es un dato personal, aunque no se conozca su nombre.`,
    },
  },
  facts: {
    refusal: {
      what: 'Que se rechazó un evento, cuándo y por qué',
      purpose: 'Ver cuánto se descarta, por ejemplo de robots',
    },
    eventId: {
      what: 'Un número aleatorio por evento',
      purpose: 'Contar una sola vez lo que llega dos veces',
    },
    minute: { what: 'Hora, con precisión de minuto', purpose: 'Mostrar el uso a lo largo del tiempo' },
    moment: { what: 'Hora, con precisión de milisegundo', purpose: 'Conservar el orden de los eventos' },
    page: { what: 'Página: dominio y ruta, sin los parámetros', purpose: 'Saber qué páginas se leen' },
    arrival: { what: 'Sitio o campaña de procedencia', purpose: 'Saber cómo se llega al sitio' },
    country: { what: 'País', purpose: 'Saber desde dónde se lee' },
    device: {
      what: 'Tipo de dispositivo y nombre del navegador',
      purpose: 'Que el sitio funcione en lo que se usa',
    },
    customEvents: {
      what: 'Acciones que el sitio comunica, como un pedido, y sus detalles',
      purpose: 'Saber si el sitio cumple su función',
    },
    totals: { what: 'Sumas por hora y por día', purpose: 'Mostrar los informes' },
    unstored: {
      what: 'Mensajes que no se pudieron guardar, tal como llegaron',
      purpose: 'Corregir el fallo',
    },
    order: {
      what: 'Qué páginas forman una visita, en qué orden y cuándo',
      purpose: 'Entender cómo se recorre el sitio',
    },
    repeat: {
      what: 'Que la misma página comunicó otra vez una acción, por un código de la página vista y la acción',
      purpose: 'Contar una acción una vez por página',
    },
    dayHash: {
      what: 'Un código que cambia cada día',
      purpose: 'Distinguir visitas de páginas vistas y contar los visitantes del día',
    },
    place: { what: 'Región y ciudad', purpose: 'Saber desde dónde se lee' },
    language: { what: 'Idioma del navegador', purpose: 'Saber qué idiomas hacen falta' },
    title: { what: 'Título de la página', purpose: 'Comprobar lo que se contó' },
    screen: { what: 'Tamaño de la pantalla', purpose: 'Comprobar lo que se contó' },
    visitorId: { what: 'Un identificador aleatorio del navegador', purpose: 'Reconocer a quien vuelve' },
    consent: {
      what: 'Que el consentimiento se dio a mitad de una visita, y en qué página',
      purpose: 'Contar esa visita una sola vez y entender cómo se recorre el sitio',
    },
    system: { what: 'Sistema operativo', purpose: 'Que el sitio funcione en lo que se usa' },
    attention: {
      what: 'Cuánto tiempo se mira una página y hasta dónde',
      purpose: 'Saber qué se lee de verdad',
    },
    vitals: { what: 'Con qué rapidez aparece y responde la página', purpose: 'Hacer el sitio más rápido' },
    trace: {
      what: 'Qué peticiones hizo una página a nuestros propios servidores, por su número, y su resultado',
      purpose: 'Encontrar fallos',
    },
  },
  kept: {
    raw: `${RAW_HOURS} horas desde el final del día`,
    unstored: 'Hasta que se guarden o se borren, como máximo lo mismo que las visitas',
    visits: (n) => (n === null ? 'Hasta que se retire el sitio' : months(n)),
  },
  applies: {
    gpc: 'Su navegador envía Global Privacy Control. Entonces no se recoge nada, aunque usted acepte.',
    dnt: 'Su navegador envía Do Not Track. Entonces no se recoge más que esto, aunque usted acepte.',
    withoutConsent: {
      required: 'No ha aceptado, o ha rechazado.',
      regional: `Ha rechazado; o no ha respondido y se encuentra en ${territories}, o no se conoce su país.`,
      nobody: 'Ha rechazado.',
    },
    withConsent: {
      required: 'Ha aceptado.',
      regional: `Ha aceptado; o no se encuentra en ${territories} y no ha rechazado.`,
      nobody: 'No ha rechazado. Este sitio no pregunta antes.',
    },
    withoutStorage: 'Se permitiría más, pero su navegador no guarda nada o la página se cerró enseguida.',
    withoutSalt: 'Se permitiría más, pero la clave del día no está disponible en ese momento.',
  },
  sections: {
    who: 'Qué se aplica a quién',
    what: 'Qué se guarda',
    table: { what: 'Dato', purpose: 'Para qué', kept: 'Cuánto tiempo' },
    never: {
      heading: 'Qué no se guarda nunca',
      text:
        'La dirección IP y la identificación completa del navegador llegan con cada petición. Se leen mientras se responde, para averiguar el país, ' +
        'la región y la ciudad, el tipo de dispositivo y el código del día, descartar robots y limitar abusos, y no se guardan. Tampoco se ' +
        'guarda el resto de la dirección de la página ni de la página de la que se viene.',
    },
    personal: 'Qué parte son datos personales',
    ownData:
      'Las acciones que comunica el sitio y las direcciones de las páginas contienen lo que nosotros ponemos en ellas.',
    browser: {
      heading: 'Cookies y almacenamiento en su navegador',
      below:
        `No se usan cookies. Si usted pide que no se le cuente, \`${IGNORE_KEY}\` se guarda en su navegador para recordarlo; la página puede ` +
        'buscarlo. Sin el análisis con consentimiento no se guarda nada más en su navegador ni se lee nada más de su almacenamiento.',
      consented:
        `Con él se guarda \`${key}\` en el almacenamiento local de este sitio: el identificador aleatorio, su fecha de caducidad y si el ` +
        `consentimiento se dio a mitad de una visita. Caduca ${days} días después de crearse y el uso no lo prolonga.`,
    },
    choices: {
      heading: 'Lo que puede elegir',
      items: [
        '**Global Privacy Control** en su navegador impide toda recogida.',
        '**Do Not Track** en su navegador la limita al recuento anónimo, y no se guarda nada en su navegador.',
      ],
      withdrawal:
        'El **consentimiento** se puede negar o retirar en cualquier momento. Lo guardado en su navegador se borra entonces de inmediato.',
    },
    keeping: {
      heading: 'Cuánto tiempo se conserva',
      items: (n) => [
        `Los eventos sueltos: hasta ${RAW_HOURS} horas después del final de su día (UTC).`,
        n === null
          ? 'Las visitas y las sumas que se hacen con ellas: hasta que este sitio se retire de las estadísticas.'
          : `Las visitas y las sumas que se hacen con ellas: ${months(n)}; se borran a diario.`,
        `La clave aleatoria de un día: hasta pasada la medianoche (UTC), como máximo ${SALT_HOURS} horas desde el comienzo del día.`,
        'Los mensajes que no se pudieron guardar: hasta que se guarden o se borren, como máximo lo mismo que las visitas.',
        'Las listas de páginas, nombres de acciones, lugares, dispositivos y sitios de procedencia, que no dicen de quién eran: hasta que este sitio se retire.',
      ],
    },
    processors: {
      heading: 'Quién los trata',
      text:
        'Por cuenta nuestra: el proveedor del servicio de estadísticas y las empresas de las que se sirve, a saber, un proveedor de red y ' +
        'computación, que recibe las peticiones con su dirección IP; un proveedor de bases de datos, que guarda lo que aquí se enumera; y un ' +
        'proveedor de almacenamiento breve, que conserva la clave del día y los contadores contra abusos. [Indique sus nombres y países.]',
    },
    rights: {
      heading: 'Sus derechos',
      text:
        'Las visitas recogidas con consentimiento se encuentran por el identificador de su navegador, que es la primera parte de ' +
        `\`${key}\`. Si nos lo envía, le diremos todo lo que hay guardado con él, o lo borraremos. Sin él no podemos averiguar qué visitas ` +
        'fueron suyas.',
    },
  },
};
