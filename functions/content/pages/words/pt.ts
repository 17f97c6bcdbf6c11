import type { Words } from '../content-words.ts';

export const pt: Words = {
  title: (name) => `${name}: conteúdo público para agentes`,
  lead: (name) =>
    `Os guias, serviços, casos, produtos e dados da empresa ${name}, para serem lidos por um agente, por qualquer programa ou por pessoas. Aqui tudo é público e só de leitura. Não é preciso conta nem chave.`,
  languages: 'Idioma',
  address: 'Endereço para clientes MCP',
  copy: 'Copiar',
  copied: 'Copiado',
  connect: 'Ligar um agente',
  connectLead:
    'A qualquer programa que fale o Model Context Protocol (MCP) por HTTP basta o endereço. É assim que se indica aos mais comuns.',
  clients: {
    claudeCode: 'Num terminal:',
    claude:
      'Na Web, na aplicação para computador ou no telemóvel: abrir os conectores («Connectors»), escolher «Add custom connector» e colar o endereço. O Claude liga-se a partir dos seus próprios servidores, por isso só funciona com um endereço acessível pela internet.',
    cursor: 'Em ~/.cursor/mcp.json, ou em .cursor/mcp.json dentro de um projeto:',
    vscode: 'Em .vscode/mcp.json dentro de um projeto:',
    codex: 'Num terminal:',
    gemini: 'Num terminal:',
    curl: 'Sem agente, num terminal: pesquisar, ler e listar as ferramentas.',
  },
  exampleQuery: 'acessibilidade',
  asks: 'Depois pode perguntar-se, por exemplo:',
  askTexts: (name) => [
    `Que serviços oferece a empresa ${name} e quanto custa cada um?`,
    'Que guias há sobre acessibilidade? Resume o mais importante.',
    `Como se contacta a empresa ${name} e quando respondem?`,
  ],
  tools: 'O que um agente pode fazer',
  toolsLead: (count) => `Há ${count} ferramentas. Todas se limitam a ler.`,
  toolTexts: {
    search_content:
      'Encontra conteúdos por palavras do título, da descrição ou das palavras-chave; sem pesquisa, lista tudo.',
    get_content: 'Lê qualquer conteúdo na íntegra, página a página, a partir do seu id.',
    get_guide: 'Lê um guia na íntegra, no idioma pedido, se o guia existir nesse idioma.',
    list_services: 'Lista todos os serviços.',
    get_service: 'Lê um serviço: o que inclui, quanto custa e quanto tempo leva.',
    get_case_study: 'Lê um caso: o que se fez e com que resultado.',
    get_business_info: 'Lê quem somos, onde trabalhamos, como nos contactar e em que condições.',
  },
  resources: 'Recursos',
  resourcesLead: 'Para clientes que leem recursos: o mesmo conteúdo, pelo seu endereço.',
  resourceTexts: {
    business: 'Os dados da empresa.',
    services: 'A lista de serviços.',
    guides: 'A primeira página de um guia; os dois pontos escrevem-se %3A.',
  },
  rest: 'Sem MCP',
  restLead: 'Dois endereços REST dão exatamente as mesmas respostas que as ferramentas.',
  restTexts: {
    search: 'Como search_content: query, type, language, limit e cursor, todos opcionais.',
    detail: 'Como get_content: language e cursor, ambos opcionais.',
  },
  contents: 'O que há aqui',
  contentsLead: 'Cada título leva a uma página para ler. Os agentes recebem o mesmo texto em JSON.',
  kinds: {
    service: 'Serviços',
    'case-study': 'Casos',
    product: 'Produtos',
    business: 'Dados da empresa',
    guide: 'Guias',
  },
  guidesAway: 'De momento não é possível ler os guias.',
  more: (count) => `Mais ${count}`,
  limits: 'Limites',
  limitTexts: ({ requests, bodyBytes, pageCharacters, results }) => [
    `${requests} pedidos por minuto a partir do mesmo endereço. Acima disso a resposta é 429 e diz quanto tempo é preciso esperar.`,
    `${results} resultados por página numa pesquisa e ${pageCharacters} caracteres por página num texto. O cursor de uma página leva à seguinte.`,
    `${bodyBytes} bytes por pedido.`,
    'O conteúdo está em inglês, espanhol e português europeu. Nem tudo existe nos três idiomas.',
  ],
  programs: 'Para programas',
  programTexts: {
    llms: 'um resumo com ligações, para modelos de linguagem',
    openapi: 'os endereços REST em pormenor',
    card: 'a ficha do servidor, para clientes que procuram servidores',
    protocol: 'o que é o MCP',
  },
  reading: {
    parts: 'Nesta página',
    updated: (day) => `Atualizado a ${day}`,
    website: 'Ler no site',
    stale: 'Este texto foi obtido há mais de um dia. Pode não estar atualizado.',
    agents: 'Para agentes',
    agentsLead: 'O id deste texto:',
    json: 'o mesmo em JSON',
  },
  missing: {
    title: 'Esta página não existe',
    text: 'O endereço pode estar mal escrito, ou o texto já não é público.',
  },
  away: {
    title: 'De momento não é possível ler os guias',
    text: 'Os serviços, casos, produtos e dados da empresa, sim. Tente de novo daqui a pouco.',
  },
  all: 'Todos os conteúdos',
};
