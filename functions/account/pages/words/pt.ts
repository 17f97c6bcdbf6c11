import type { Words } from '../../../../web/account/page-words.ts';

export const pt: Words = {
  languages: 'Idioma',
  needsScript: 'Esta página só funciona com JavaScript.',
  views: {
    'sign-in': { title: 'Iniciar sessão', lead: '' },
    'sign-up': {
      title: 'Criar uma conta',
      lead: 'Inclui um projeto próprio. Receberá por correio eletrónico uma ligação para confirmar o seu endereço.',
    },
    'first-owner': {
      title: 'A primeira conta',
      lead: 'Esta ligação cria a primeira conta deste serviço. Depois pode convidar outras pessoas.',
    },
    code: {
      title: 'Só mais um passo',
      lead: 'Introduza os 6 algarismos que a sua aplicação de autenticação mostra agora para o Vendor.',
    },
    backup: {
      title: 'Usar um código de recuperação',
      lead: 'Recebeu estes códigos quando ativou o segundo fator. Cada um serve uma só vez.',
    },
    forgot: {
      title: 'Esqueceu-se da palavra-passe?',
      lead: 'Receberá por correio eletrónico uma ligação para escolher outra.',
    },
    sent: {
      title: 'Veja o seu correio',
      lead: 'Se {email} tiver uma conta, a ligação vai a caminho. Serve uma só vez, durante uma hora.',
    },
    'signed-in': { title: 'Sessão iniciada', lead: 'Como {name}, {email}.' },
    unconfirmed: {
      title: 'Confirme o seu endereço de correio',
      lead: 'Enviámos uma ligação para {email}. Abra-a no prazo de 24 horas. Até lá não pode alterar nada.',
    },
    'email-confirmed': {
      title: 'O seu endereço de correio está confirmado',
      lead: 'Tem sessão iniciada como {name}, {email}.',
    },
    confirm: {
      title: 'Aderir a um projeto',
      lead: 'Tem sessão iniciada como {name}, {email}.',
    },
    joined: { title: 'Aderiu a {project}', lead: 'O seu papel é {role}. {rights}' },
    refused: {
      title: 'Este convite já não serve',
      lead: 'Foi usado ou retirado, ou passaram os seus sete dias. Peça outro a quem lho enviou.',
    },
    unread: { title: 'De momento não é possível mostrar isto', lead: '' },
    'no-secret': {
      title: 'Esta ligação não está completa',
      lead: 'Abra o convite tal como o recebeu. Uma parte da ligação, a seguir ao #, falta ou está errada.',
    },
    reset: {
      title: 'Escolha uma palavra-passe nova',
      lead: 'Todas as suas sessões serão terminadas, e as suas chaves de API e tokens de consulta revogados. O segundo fator fica como está.',
    },
    done: {
      title: 'A palavra-passe foi alterada',
      lead: 'Todas as suas sessões foram terminadas, e as suas chaves de API e tokens de consulta revogados. Inicie sessão com a nova.',
    },
    over: { title: 'Esta ligação já não serve', lead: 'Já foi usada, ou a sua hora passou.' },
    'no-token': {
      title: 'Esta ligação não está completa',
      lead: 'Abra a ligação tal como a recebeu. Uma parte dela, a seguir ao #, falta ou está errada.',
    },
  },
  fields: {
    email: 'Correio eletrónico',
    password: 'Palavra-passe',
    newPassword: 'Palavra-passe nova',
    name: 'Nome (opcional)',
    code: 'Código de 6 algarismos',
    backupCode: 'Código de recuperação',
  },
  hints: {
    newPassword: 'No mínimo # caracteres.',
    name: 'O seu nome. O seu primeiro projeto também o recebe.',
    backupCode: 'Dez caracteres com um hífen a meio.',
  },
  buttons: {
    signIn: 'Iniciar sessão',
    signInToJoin: 'Iniciar sessão e aderir',
    signUp: 'Criar conta',
    signUpToJoin: 'Criar conta e aderir',
    continue: 'Continuar',
    sendLink: 'Enviar a ligação',
    sendAnother: 'Enviar outra ligação',
    setPassword: 'Guardar a palavra-passe',
    join: 'Aderir ao projeto',
    tryAgain: 'Tentar outra vez',
  },
  links: {
    toSignIn: 'Iniciar sessão',
    toSignUp: 'Criar uma conta',
    toForgot: 'Esqueceu-se da palavra-passe?',
    toBackup: 'Usar um código de recuperação',
    toCode: 'Usar o código da aplicação',
    again: 'Começar de novo',
    signOut: 'Terminar sessão',
    otherAccount: 'Usar outra conta',
    newLink: 'Pedir outra ligação',
    opened: 'Já a abri',
    later: 'Mais tarde',
    toAccount: 'A sua conta',
    toSecurity: 'Sessões, palavra-passe e segundo fator',
    toDashboard: 'Abrir o painel',
  },
  invited: 'Tem um convite para um projeto. Para aderir, inicie sessão ou crie uma conta.',
  toConfirm:
    'Inicie sessão para confirmar o seu endereço de correio. Se não criou esta conta, peça uma palavra-passe nova: a conta passa a ser sua.',
  invitation: { project: 'Projeto', role: 'O seu papel', ends: 'Válido até' },
  thenInvitation: 'Depois, abra outra vez o convite.',
  script: {
    sentences: {
      'This address has an account already.': 'Este endereço já tem uma conta. Inicie sessão com ela.',
      'Nobody can sign up here without an invitation. Ask an owner or admin of a project for one.':
        'Aqui ninguém pode criar uma conta sem convite. Peça um a quem for proprietário ou administrador de um projeto.',
      'This invitation was used or withdrawn, or has ended. Ask whoever invited you for another one.':
        'Este convite foi usado ou retirado, ou expirou. Peça outro a quem lho enviou.',
      'This service has an owner already. Sign in, or ask an owner for an invitation.':
        'Este serviço já tem proprietário. Inicie sessão, ou peça um convite a quem for proprietário.',
      'This link for the first owner is wrong, or its day has passed. Start the service again: it prints another one.':
        'Esta ligação está errada, ou o seu dia passou. Inicie de novo o serviço: ele mostra outra.',
      'No account has this e-mail address and this password.':
        'Nenhuma conta tem este endereço e esta palavra-passe.',
      'This code is wrong or has expired.': 'Este código está errado ou expirou.',
      'Sign in with your password first.': 'Passou demasiado tempo. Comece de novo, com a sua palavra-passe.',
      'Too many wrong codes. Sign in with your password again.':
        'Demasiados códigos errados. Comece de novo, com a sua palavra-passe.',
      'Sign in at `/api/auth/sign-in`.': 'A sua sessão terminou. Inicie-a outra vez.',
      'You are a member of this project already.':
        'Já é membro deste projeto. O convite continua a servir para outra pessoa.',
      'Confirm your e-mail address first: open the link that was mailed to you.':
        'Confirme primeiro o seu endereço de correio: abra a ligação que lhe foi enviada.',
      'This link is for another account than the one that is signed in.':
        'Esta ligação é de outra conta. Inicie sessão com ela.',
      'Your e-mail address is confirmed already.': 'O seu endereço de correio já está confirmado.',
      'This service sends no mail. Ask whoever runs it.':
        'Este serviço não envia correio. Pergunte a quem o gere.',
      'A part of the service is out of reach. Nothing was changed; try again.':
        'Uma parte do serviço não responde. Nada foi alterado; tente outra vez.',
      'A part of the service is out of reach. What was sent may have been stored; send it again.':
        'Uma parte do serviço não responde. O que foi enviado pode ter sido guardado; envie outra vez.',
      'Something went wrong on our side. It was logged.': 'Algo falhou do nosso lado. Ficou registado.',
    },
    rules: {
      'must not be empty': 'Falta este dado.',
      'must be an e-mail address': 'Isto não é um endereço de correio eletrónico.',
      'must have at least # characters': 'Tem de ter no mínimo # caracteres.',
      'must have at most # characters': 'Tem de ter no máximo # caracteres.',
      'must be 6 digits': 'Isto não é um código.',
      'must be 6 digits or a backup code': 'Isto não é um código.',
    },
    unreachable: 'Não é possível contactar o serviço. Verifique a ligação e tente outra vez.',
    tooMany: 'Demasiadas tentativas. Tente outra vez {when}.',
    elsewhere: 'Isto só funciona no endereço próprio do serviço: {address}',
    roles: { owner: 'proprietário', admin: 'administrador', viewer: 'leitor' },
    rights: {
      owner: 'Um proprietário pode fazer tudo.',
      admin: 'Um administrador altera tudo menos os proprietários.',
      viewer: 'Um leitor lê tudo e não altera nada.',
    },
    mailed: 'Outra ligação vai a caminho.',
    linkOver: 'Esta ligação já não serve: passaram as suas 24 horas. Peça outra.',
    showPassword: 'Mostrar a palavra-passe',
    hidePassword: 'Ocultar a palavra-passe',
    busy: 'Um momento…',
  },
  kept: {
    views: {
      'sign-up': {
        lead: 'Inclui um projeto próprio. Este servidor não envia correio: peça a quem o gere a ligação que confirma o seu endereço.',
      },
      forgot: {
        lead: 'Este servidor não envia correio. Quem o gere dá-lhe uma ligação para escolher outra.',
      },
      sent: {
        title: 'Peça a sua ligação',
        lead: 'Este servidor não envia correio. Se {email} tiver uma conta, há uma ligação para si no servidor: peça-a a quem o gere. Serve uma só vez, durante uma hora.',
      },
      unconfirmed: {
        lead: 'Este servidor não envia correio. A ligação para {email} está no servidor: peça-a a quem o gere e abra-a no prazo de 24 horas. Até lá não pode alterar nada.',
      },
    },
    buttons: { sendLink: 'Criar uma ligação', sendAnother: 'Criar outra ligação' },
    script: { mailed: 'Há outra ligação no servidor. Peça-a a quem o gere.' },
  },
};
