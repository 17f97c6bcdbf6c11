import type { Words } from '../home-words.ts';

export const en: Words = {
  title: (name) => `${name}: public content for agents`,
  lead: (name) =>
    `The guides, services, case studies, products and business facts of ${name}, for your agent or your own program to read. Everything here is public and read-only. You need no account and no key.`,
  languages: 'Language',
  address: 'Address for MCP clients',
  select: 'Click an address or a command to select all of it.',
  connect: 'Connect an agent',
  connectLead:
    'Every program that speaks the Model Context Protocol (MCP) over HTTP needs only the address. This is how you give it to common programs.',
  clients: {
    claudeCode: 'In a terminal:',
    claude:
      'On the web, in the desktop app or on a phone: open Connectors, choose “Add custom connector” and paste the address. Claude connects from its own servers, so this works only with an address that the internet can reach.',
    cursor: 'In ~/.cursor/mcp.json, or in .cursor/mcp.json of a project:',
    vscode: 'In .vscode/mcp.json of a project:',
    codex: 'In a terminal:',
    gemini: 'In a terminal:',
    curl: 'Without an agent, in a terminal: search, read, and list the tools.',
  },
  tools: 'What an agent can do',
  toolsLead: (count) => `There are ${count} tools. All of them only read.`,
  toolTexts: {
    search_content: 'Finds content by words in titles, descriptions and keywords, or lists everything.',
    get_content: 'Reads anything in full, page by page, by its id.',
    get_guide: 'Reads a guide in full, in the language you ask for if the guide has it.',
    list_services: 'Lists all services.',
    get_service: 'Reads one service: what it includes, what it costs and how long it takes.',
    get_case_study: 'Reads one case study: what was done, and with what result.',
    get_business_info: 'Reads who we are, where we work, how to contact us, and our terms.',
  },
  resources: 'Resources',
  resourcesLead: 'For clients that read resources: the same content, by address.',
  resourceTexts: {
    business: 'Business facts.',
    services: 'The list of services.',
    guides: 'The first page of a guide; its colon is written %3A.',
  },
  rest: 'Without MCP',
  restLead: 'Two REST endpoints answer exactly what the tools answer.',
  restTexts: {
    search: 'As search_content: query, type, language, limit and cursor, all optional.',
    detail: 'As get_content: language and cursor, both optional.',
  },
  contents: 'What is inside',
  contentsLead: 'Each title leads to its text as JSON.',
  kinds: {
    service: 'Services',
    'case-study': 'Case studies',
    product: 'Products',
    business: 'Business facts',
    guide: 'Guides',
  },
  guidesLead: 'All guides in English',
  more: (count) => `${count} more`,
  limits: 'Limits',
  limitTexts: ({ requests, bodyBytes, pageCharacters, results }) => [
    `${requests} requests a minute from one address. Beyond that the answer is 429 and says how long to wait.`,
    `${results} results a page in a search, ${pageCharacters} characters a page in a text. The cursor of one page leads to the next.`,
    `${bodyBytes} bytes in a request.`,
    'Content is in English, Spanish and European Portuguese. Not everything is in all three.',
  ],
  programs: 'For programs',
  programTexts: {
    llms: 'a summary with links, for language models',
    openapi: 'the REST endpoints in full',
    card: 'the server card, for clients that look for servers',
    protocol: 'what MCP is',
  },
  website: 'Website',
};
