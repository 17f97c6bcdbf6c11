import type { Words } from '../content-words.ts';

export const es: Words = {
  title: (name) => `${name}: contenido público para agentes`,
  lead: (name) =>
    `Las guías, los servicios, los casos, los productos y los datos de ${name}, para que los lea tu agente, tu propio programa o tú. Todo lo que hay aquí es público y de solo lectura. No hace falta cuenta ni clave.`,
  languages: 'Idioma',
  address: 'Dirección para clientes MCP',
  copy: 'Copiar',
  copied: 'Copiado',
  connect: 'Conecta un agente',
  connectLead:
    'A cualquier programa que hable el Model Context Protocol (MCP) por HTTP le basta con la dirección. Así se la das a los más habituales.',
  clients: {
    claudeCode: 'En un terminal:',
    claude:
      'En la web, en la aplicación de escritorio o en el móvil: abre los conectores («Connectors»), elige «Add custom connector» y pega la dirección. Claude se conecta desde sus propios servidores, así que solo funciona con una dirección accesible desde internet.',
    cursor: 'En ~/.cursor/mcp.json, o en .cursor/mcp.json dentro de un proyecto:',
    vscode: 'En .vscode/mcp.json dentro de un proyecto:',
    codex: 'En un terminal:',
    gemini: 'En un terminal:',
    curl: 'Sin agente, en un terminal: buscar, leer y ver la lista de herramientas.',
  },
  exampleQuery: 'accesibilidad',
  asks: 'Después pregunta, por ejemplo:',
  askTexts: (name) => [
    `¿Qué servicios ofrece ${name} y cuánto cuesta cada uno?`,
    '¿Qué guías tienen sobre accesibilidad? Resume lo más importante.',
    `¿Cómo me pongo en contacto con ${name} y cuándo contestan?`,
  ],
  tools: 'Qué puede hacer un agente',
  toolsLead: (count) => `Hay ${count} herramientas. Todas se limitan a leer.`,
  toolTexts: {
    search_content:
      'Busca contenido por palabras del título, la descripción o las palabras clave; sin consulta, lo lista todo.',
    get_content: 'Lee cualquier contenido entero, página a página, a partir de su id.',
    get_guide: 'Lee una guía entera, en el idioma que pidas si la guía lo tiene.',
    list_services: 'Lista todos los servicios.',
    get_service: 'Lee un servicio: qué incluye, cuánto cuesta y cuánto tarda.',
    get_case_study: 'Lee un caso: qué se hizo y qué resultado dio.',
    get_business_info: 'Lee quiénes somos, dónde trabajamos, cómo localizarnos y en qué condiciones.',
  },
  resources: 'Recursos',
  resourcesLead: 'Para clientes que leen recursos: el mismo contenido, por su dirección.',
  resourceTexts: {
    business: 'Los datos de la empresa.',
    services: 'La lista de servicios.',
    guides: 'La primera página de una guía; los dos puntos se escriben %3A.',
  },
  rest: 'Sin MCP',
  restLead: 'Dos direcciones REST responden exactamente lo mismo que las herramientas.',
  restTexts: {
    search: 'Como search_content: query, type, language, limit y cursor, todos opcionales.',
    detail: 'Como get_content: language y cursor, los dos opcionales.',
  },
  contents: 'Qué hay dentro',
  contentsLead: 'Cada título lleva a una página para leer. Los agentes reciben el mismo texto en JSON.',
  kinds: {
    service: 'Servicios',
    'case-study': 'Casos',
    product: 'Productos',
    business: 'Datos de la empresa',
    guide: 'Guías',
  },
  guidesAway: 'Ahora mismo no se pueden leer las guías.',
  more: (count) => `${count} más`,
  limits: 'Límites',
  limitTexts: ({ requests, bodyBytes, pageCharacters, results }) => [
    `${requests} peticiones por minuto desde una misma dirección. Por encima, la respuesta es 429 y dice cuánto hay que esperar.`,
    `${results} resultados por página en una búsqueda y ${pageCharacters} caracteres por página en un texto. El cursor de una página lleva a la siguiente.`,
    `${bodyBytes} bytes por petición.`,
    'El contenido está en inglés, español y portugués europeo. No todo está en los tres idiomas.',
  ],
  programs: 'Para programas',
  programTexts: {
    llms: 'un resumen con enlaces, para modelos de lenguaje',
    openapi: 'las direcciones REST con todo detalle',
    card: 'la ficha del servidor, para clientes que buscan servidores',
    protocol: 'qué es MCP',
  },
  reading: {
    parts: 'En esta página',
    updated: (day) => `Actualizado el ${day}`,
    website: 'Leerlo en el sitio web',
    stale: 'Este texto se obtuvo hace más de un día. Puede no estar al día.',
    agents: 'Para agentes',
    agentsLead: 'El id de este texto:',
    json: 'lo mismo en JSON',
  },
  missing: {
    title: 'Esta página no existe',
    text: 'Puede que la dirección esté mal escrita o que el texto ya no sea público.',
  },
  away: {
    title: 'Ahora mismo no se pueden leer las guías',
    text: 'Los servicios, los casos, los productos y los datos de la empresa, sí. Vuelve a intentarlo dentro de poco.',
  },
  all: 'Todo el contenido',
};
