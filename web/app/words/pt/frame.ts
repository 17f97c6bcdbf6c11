export const frame: typeof import('../en/frame.ts').frame = {
  product: 'Vendor',
  skip: 'Ir para o conteúdo',
  nav: {
    label: 'Principal',
    sites: 'Sites',
    backends: 'Servidores',
    settings: 'Definições',
    signOut: 'Terminar sessão',
    account: 'Conta',
    keys: 'Chaves e tokens',
    projects: 'Projetos e membros',
    alerts: (count, shown) =>
      count === 0 ? 'Alertas: nenhum dispara' : `Alertas: ${count === 1 ? 'dispara' : 'disparam'} ${shown}`,
    agent: 'Deixar um agente mostrar vistas',
    shortcuts: 'Atalhos de teclado',
    language: 'Idioma',
    theme: 'Cores',
    themes: { auto: 'Como o sistema', light: 'Claro', dark: 'Escuro' },
  },
  loading: 'A carregar …',
  retry: 'Tentar de novo',
  close: 'Fechar',
  cancel: 'Cancelar',
  copy: 'Copiar',
  copied: 'Copiado',
  save: 'Guardar',
  search: 'Procurar',
  more: 'Mostrar mais',
  details: 'Detalhes',
  failure: {
    offline: 'Não há ligação ao serviço. É tentado de novo automaticamente.',
    limited: (seconds) => `Demasiados pedidos. Continua automaticamente dentro de ${seconds} s.`,
    unavailable: 'O serviço não consegue responder de momento. É tentado de novo automaticamente.',
    notFound: 'Não existe, ou não o pode ver.',
    forbidden: 'O seu papel não o permite.',
    /** What the service says in English, by its own sentences. */
    sentences: {
      'The project already has a channel with this address.': 'O projeto já tem um canal com este endereço.',
      'A project has at most 20 channels. Delete one first.':
        'Um projeto tem no máximo 20 canais. Elimine um primeiro.',
      'The channel is paused. Let it go on first.': 'O canal está em pausa. Retome-o primeiro.',
      'A site has at most 20 reports by mail, and a project at most 20 channels. Delete one first.':
        'Um site tem no máximo 20 relatórios por correio, e um projeto 20 canais. Elimine um primeiro.',
      'This is not your password.': 'Esta não é a sua palavra-passe. Escreva a que usa para entrar.',
      'This code is wrong or has expired.':
        'Este código está errado ou expirou. Escreva o que a aplicação mostra agora; o relógio do dispositivo tem de estar certo.',
      'The answer took too long. Nothing was changed. If it takes too long once more, ask for a shorter range. Wait 2 seconds before the next try.':
        'A resposta demorou demasiado. Escolha um período mais curto ou tente de novo.',
      'There is a second factor already.': 'Já existe um segundo fator. Carregue a página de novo.',
      'A project must have an owner. Make somebody else an owner first, or delete the project.':
        'Um projeto precisa de um proprietário. Torne primeiro outra pessoa proprietária.',
      'A project must have an environment. Make another one first.':
        'Um projeto precisa de um ambiente. Crie primeiro outro.',
      'The project already has an environment with this name.': 'Este nome já está em uso. Escolha outro.',
      'This service sends no mail. Ask whoever runs it.':
        'Este serviço não envia correio. Deixe o endereço vazio e passe a ligação.',
      'Your e-mail address is confirmed already.':
        'O seu endereço já está confirmado. Carregue a página de novo.',
      'Confirm your e-mail address first: open the link that was mailed to you.':
        'Confirme primeiro o seu endereço de e-mail: abra a ligação que lhe foi enviada.',
      'You are the only owner of a project. Make somebody else an owner of it, or delete it first.':
        'É a única pessoa proprietária de um projeto. Dê-lhe outro proprietário ou elimine-o primeiro.',
      'Only owners of this project may do this.': 'Só os proprietários deste projeto o podem fazer.',
    } as Readonly<Record<string, string>>,
    rules: 'O que escreveu não cumpre uma regra.',
    /** Rules of `details` that a form can't check before it is sent. */
    details: {
      'must begin with https://': 'Tem de começar por https://.',
      'must have no user name and no password': 'Não pode ter utilizador nem palavra-passe.',
      'must have the port 443, or one from 1024': 'A porta tem de ser 443, ou 1024 ou superior.',
      'must be at a public host': 'O servidor tem de ser público, não de uma rede privada.',
      'must be an address like https://example.com/hooks':
        'Escreva um endereço como https://example.com/hooks.',
      'must be an e-mail address': 'Escreva um endereço de correio.',
      'must be in the future': 'O último dia já passou. Escolha um posterior.',
    } as Readonly<Record<string, string>>,
    other: 'Algo falhou.',
    request: (id) => `Pedido ${id}`,
    signedOut: 'A sua sessão terminou.',
    signIn: 'Iniciar sessão de novo',
  },
  notFound: {
    title: 'Esta página não existe',
    text: 'O endereço pode estar mal escrito, ou já não existe o que nomeava.',
    home: 'Para os seus sites',
  },
};
